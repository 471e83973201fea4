import { enterStage, type Design } from "./design.ts";

/** Log of the odds against that a 95% bound allows on its side: 2.5%. */
const LOG_LIKELIHOOD_DROP: number = -Math.log(0.025);
/** Of a range of 120: to a millionth of an Elo point. */
const HALVINGS = 36;
/** Beyond this log strength nothing changes any more. */
const FARTHEST = 60;

/**
 * For an entrant that won (or lost) everything: the log strength at which that would have happened with
 * probability 2.5%, the others as fitted. Its likelihood has no top, so a standard error means nothing;
 * this bound does. The games of one block, which may all hang together, count as one.
 */
export function strengthBound(
  design: Design,
  parameters: Float64Array,
  { entrant, won, blocks }: { entrant: number; won: boolean; blocks: number },
): number {
  const stages = stepsWith(design, entrant);
  const full = (1 << design.seatCount) - 1;
  let games = 0;
  for (const { stage } of stages) if (design.remaining[stage] === full) games += design.games[stage];

  const moved = parameters.slice();
  // What happened is likelier than 2.5% at `near`, less likely at `far`.
  let near = won ? FARTHEST : -FARTHEST;
  let far = -near;
  for (let step = 0; step < HALVINGS; step++) {
    moved[entrant] = (near + far) / 2;
    if ((blocks / games) * surprise(design, moved, stages, won) < LOG_LIKELIHOOD_DROP) near = moved[entrant];
    else far = moved[entrant];
  }
  return near;
}

interface OwnStep {
  readonly stage: number;
  /** The entrant's own seats among the remaining ones. */
  readonly own: number;
}

function stepsWith({ stageCount, seatCount, entrants, remaining }: Design, entrant: number): OwnStep[] {
  const found: OwnStep[] = [];
  for (let stage = 0; stage < stageCount; stage++) {
    let own = 0;
    for (let seat = 0; seat < seatCount; seat++) {
      if (entrants[stage * seatCount + seat] === entrant) own |= remaining[stage] & (1 << seat);
    }
    if (own !== 0 && own !== remaining[stage]) found.push({ stage, own });
  }
  return found;
}

/** Negated log probability of the entrant's being placed first (or never) at each of its stages. */
function surprise(
  design: Design,
  parameters: Float64Array,
  stages: readonly OwnStep[],
  won: boolean,
): number {
  const { choice, remaining, games } = design;
  let sum = 0;
  for (const { stage, own } of stages) {
    enterStage(design, stage, parameters);
    const happened = choice.logTotal(won ? own : remaining[stage] & ~own);
    sum += games[stage] * (choice.logTotal(remaining[stage]) - happened);
  }
  return sum;
}
