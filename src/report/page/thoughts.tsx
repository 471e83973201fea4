import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { parseThoughts, type Thought } from "../../base/thought.ts";
import type { Game } from "../../game/game.ts";
import { legalLine } from "../../game/notation.ts";
import { Chart, COLOURS, Plot, shortened } from "./charts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import { stateAfter } from "./game-text.ts";
import { Legend } from "./parts.tsx";
import { isDuel } from "../../game/traits.ts";

/** An agent's thought, and its player index. */
interface PlayerThought extends Thought {
  readonly player: number;
}

/** The thought behind each action of a game; undefined for openings and chance. */
export function thoughtsOf(
  game: Game,
  { actions, openingLength, thoughts }: GameData,
): (PlayerThought | undefined)[] {
  const list = parseThoughts(thoughts, (entry) => new Error(`"${entry}" is no thought`));
  const state = game.start();
  let next = 0;
  return actions.map((action, at) => {
    const player = state.toMove;
    state.apply(action);
    const thought = at >= openingLength && player >= 0 ? list[next++] : undefined;
    return thought && { ...thought, player };
  });
}

/** The thought before the move that led to position `at`, in words. */
export function ThoughtText({
  run,
  game,
  played,
  at,
  thought,
}: {
  run: TournamentData;
  game: Game;
  played: GameData;
  at: number;
  thought: PlayerThought;
}): JSX.Element {
  const { value, depth, nodes, timeMs, player } = thought;
  const line = legalLine(game, stateAfter(game, played.actions, at - 1), thought.line).join(" ");
  const figures = [
    value === undefined ? "no value" : `value ${Number(value.toPrecision(3))}`,
    ...(depth === undefined ? [] : [`depth ${depth}`]),
    `${nodes.toLocaleString("en")} nodes`,
    `${Number(timeMs.toPrecision(2))} ms`,
  ];
  return (
    <p class="thought">
      <b>{run.entrants[played.seats[player]!]!.name}</b>: {figures.join(", ")}
      {line !== "" && (
        <>
          <br />
          <span class="faint">expected</span> {line}
        </>
      )}
    </p>
  );
}

/** The values that the agents expected along the game. */
export function ValueCurve({
  run,
  game,
  played,
  thoughts,
  at,
}: {
  run: TournamentData;
  game: Game;
  played: GameData;
  thoughts: readonly (PlayerThought | undefined)[];
  at: number;
}): JSX.Element | null {
  const isMirrored = isDuel(game);
  const rows = useMemo(
    () =>
      thoughts.flatMap((thought, index) => {
        if (thought?.value === undefined) return [];
        const { value, player } = thought;
        return [
          {
            move: index + 1,
            value: isMirrored && player === 1 ? 0 - value : value,
            player: `player ${player + 1}`,
          },
        ];
      }),
    [thoughts],
  );
  const plot = useMemo(
    () => (): Plot.PlotOptions => ({
      height: 170,
      x: { label: "move", domain: [0, Math.max(1, played.actions.length)] },
      y: {
        label: isMirrored ? "value for player 1" : "value",
        grid: true,
        ...(isMirrored && { domain: [game.minReturn, game.maxReturn] }),
      },
      color: { domain: played.seats.map((_, seat) => `player ${seat + 1}`), range: COLOURS },
      marks: [
        Plot.ruleY([0], { strokeOpacity: 0.4 }),
        Plot.ruleX([at], { stroke: "currentColor", strokeOpacity: 0.5 }),
        Plot.lineY(rows, { x: "move", y: "value", stroke: "player", strokeWidth: 1.5 }),
        Plot.dot(rows, { x: "move", y: "value", stroke: "player", symbol: "player", r: 3 }),
      ],
    }),
    [rows, at],
  );
  if (rows.length === 0) return null;
  return (
    <>
      <Legend
        of={played.seats.map((entrant, seat) => ({
          name: `${seat + 1}: ${shortened(run.entrants[entrant]!.name)}`,
        }))}
      />
      <Chart plot={plot} label="What each agent expected along the game." />
    </>
  );
}
