import { Choice } from "./davidson-luce.ts";
import { popcount, rankingSteps, type RankingStep } from "../counts/outcome.ts";
import type { Tally } from "../counts/tally.ts";
import { ELO_SCALE } from "../elo.ts";

/**
 * The choices of a tally laid out for the fit. Parameters: log strength of each entrant, then log
 * advantage of each seat, then log delta of each tie size that occurs. So the natural statistic `i` of a
 * choice belongs to parameter `entrantCount + i`, and that of a seat to its entrant as well.
 */
export interface Design {
  readonly entrantCount: number;
  readonly seatCount: number;
  readonly parameterCount: number;
  readonly choice: Choice;
  /** Distinct choices: the same entrants at the same seats, the same seats still to be placed. */
  readonly stageCount: number;
  /** Entrant at each seat: [stage * seatCount + seat]. */
  readonly entrants: Int32Array;
  readonly remaining: Int32Array;
  readonly games: Float64Array;
  readonly outcomeCount: number;
  /** Stages that outcome o went through: stagesOf[stageStarts[o]] to stagesOf[stageStarts[o + 1] - 1]. */
  readonly stageStarts: Int32Array;
  readonly stagesOf: Int32Array;
  /** For each outcome the sum of its natural statistics: [outcome * choice.size + statistic]. */
  readonly statistics: Float64Array;
  /** Their sum over all games, by parameter. */
  readonly observed: Float64Array;
}

export function createDesign(tally: Tally): Design {
  const { entrantCount, seatCount, outcomeCount, seats, ranks } = tally;
  const rankings = new Map<number, RankingStep[]>();
  for (const code of new Set(ranks)) rankings.set(code, rankingSteps(code, seatCount));
  const chosenSizes = [...rankings.values()].flat().map(({ chosen }) => popcount(chosen));
  const tieSizes = [...new Set(chosenSizes)].filter((size) => size > 1).toSorted((a, b) => a - b);
  const choice = new Choice(seatCount, tieSizes);

  const bound = outcomeCount * Math.max(0, seatCount - 1);
  const entrants = new Int32Array(bound * seatCount);
  const remaining = new Int32Array(bound);
  const games = new Float64Array(bound);
  const statistics = new Float64Array(outcomeCount * choice.size);
  const stageStarts = new Int32Array(outcomeCount + 1);
  const stagesOf = new Int32Array(bound);
  let stageCount = 0;
  let end = 0;
  // Outcomes of the same seats stand together, so the stages they share are found by their mask alone.
  const stageOf = new Int32Array(1 << seatCount);
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    if (outcome === 0 || !sameSeats(tally, outcome - 1, outcome)) stageOf.fill(-1);
    for (const stage of rankings.get(ranks[outcome]) ?? []) {
      addStatistics(stage, choice, statistics, outcome * choice.size);
      let found = stageOf[stage.remaining];
      if (found < 0) {
        found = stageOf[stage.remaining] = stageCount++;
        remaining[found] = stage.remaining;
        for (let seat = 0; seat < seatCount; seat++) {
          entrants[found * seatCount + seat] = seats[outcome * seatCount + seat];
        }
      }
      games[found] += tally.games[outcome];
      stagesOf[end++] = found;
    }
    stageStarts[outcome + 1] = end;
  }
  return {
    entrantCount,
    seatCount,
    parameterCount: entrantCount + choice.size,
    choice,
    stageCount,
    entrants,
    remaining,
    games,
    outcomeCount,
    stageStarts,
    stagesOf,
    statistics,
    observed: observedStatistics(tally, choice.size, statistics),
  };
}

function sameSeats({ seatCount, seats }: Tally, one: number, other: number): boolean {
  for (let seat = 0; seat < seatCount; seat++) {
    if (seats[one * seatCount + seat] !== seats[other * seatCount + seat]) return false;
  }
  return true;
}

/** Adds the natural statistics of a stage to statistics[at...]. */
function addStatistics({ chosen }: RankingStep, choice: Choice, statistics: Float64Array, at: number): void {
  const size = popcount(chosen);
  for (let seat = 0; seat < choice.seatCount; seat++) {
    if ((chosen & (1 << seat)) !== 0) statistics[at + seat] += 1 / size;
  }
  if (size > 1) statistics[at + choice.seatCount + choice.tieSizes.indexOf(size)] += 1;
}

/** Sum of the natural statistics of all games, by parameter. */
function observedStatistics(
  { entrantCount, seatCount, ...tally }: Tally,
  size: number,
  statistics: Float64Array,
): Float64Array {
  const observed = new Float64Array(entrantCount + size);
  for (let outcome = 0; outcome < tally.outcomeCount; outcome++) {
    for (let i = 0; i < size; i++) {
      const value = tally.games[outcome] * statistics[outcome * size + i];
      observed[entrantCount + i] += value;
      if (i < seatCount) observed[tally.seats[outcome * seatCount + i]] += value;
    }
  }
  return observed;
}

/** Sets the strengths and ties of `design.choice` to those of a stage. */
export function enterStage(design: Design, stage: number, parameters: Float64Array): void {
  const { choice, entrantCount, seatCount, entrants } = design;
  for (let seat = 0; seat < seatCount; seat++) {
    choice.strength[seat] = parameters[entrants[stage * seatCount + seat]] + parameters[entrantCount + seat];
  }
  for (let tie = 0; tie < choice.tie.length; tie++)
    choice.tie[tie] = parameters[entrantCount + seatCount + tie];
}

/** Adds the mean statistics of the stage last computed by `design.choice.expect` to a vector of parameters. */
export function addMean(design: Design, stage: number, scale: number, into: Float64Array): void {
  const { choice, entrantCount, seatCount, entrants } = design;
  for (let i = 0; i < choice.size; i++) {
    const value = scale * choice.mean[i];
    into[entrantCount + i] += value;
    if (i < seatCount) into[entrants[stage * seatCount + i]] += value;
  }
}

/** Adds their covariance, which is the information of one such choice, to a matrix over the parameters. */
export function addInformation(design: Design, stage: number, scale: number, into: Float64Array): void {
  const { choice, entrantCount, seatCount, entrants, parameterCount } = design;
  const { size, mean, second } = choice;
  const at = stage * seatCount;
  for (let i = 0; i < size; i++) {
    const row = (entrantCount + i) * parameterCount;
    const entrantRow = i < seatCount ? entrants[at + i] * parameterCount : -1;
    for (let j = 0; j < size; j++) {
      const value = scale * (second[i * size + j] - mean[i] * mean[j]);
      into[row + entrantCount + j] += value;
      if (j < seatCount) into[row + entrants[at + j]] += value;
      if (entrantRow < 0) continue;
      into[entrantRow + entrantCount + j] += value;
      if (j < seatCount) into[entrantRow + entrants[at + j]] += value;
    }
  }
}

/**
 * Gaussian priors around 0, standard deviations in Elo. An even game carries an information of 1/4. So
 * the prior on a strength is worth about 1/75 of a game: nothing beside results, enough to keep finite
 * who won or lost everything or never met the others; it also makes all strengths sum to zero. That on
 * the advantage of a seat and on the logarithm of a tie's delta is worth 3/4 of a game: with a handful of
 * games in which the first seat never lost, or nobody won, it keeps the strengths from following these
 * to the end of the scale.
 * @internal tests reckon the prior with it again.
 */
export const STRENGTH_SD_ELO = 3000;
/** @internal tests reckon the prior with it again. */
export const CONDITIONS_SD_ELO = 400;

/** Precision of the prior on each parameter of the fit. */
export function priorPrecisions({ parameterCount, entrantCount }: Design): Float64Array {
  return new Float64Array(parameterCount)
    .fill((ELO_SCALE / STRENGTH_SD_ELO) ** 2, 0, entrantCount)
    .fill((ELO_SCALE / CONDITIONS_SD_ELO) ** 2, entrantCount);
}
