import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { parseThoughts, type Thought } from "../../base/thought.ts";
import { Chart, linesOf, Plot } from "./charts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import type { Contest } from "./game-text.ts";
import type { Moments } from "./moments.tsx";
import { Legend } from "./parts.tsx";

/** An agent's thought, and its player index. */
interface PlayerThought extends Thought {
  readonly player: number;
}

/** The thought behind each action of a game; undefined for openings and chance. */
export function thoughtsOf(
  { movers }: Contest,
  { openingLength, thoughts }: GameData,
): (PlayerThought | undefined)[] {
  const list = parseThoughts(thoughts, (entry) => new Error(`"${entry}" is no thought`));
  let next = 0;
  return movers.slice(0, -1).map((player, at) => {
    const thought = at >= openingLength && player >= 0 ? list[next++] : undefined;
    return thought && { ...thought, player };
  });
}

/** The thought before a move, in words; `line` is the play that the agent expected. */
export function ThoughtText({
  run,
  played,
  thought,
  line,
}: {
  run: TournamentData;
  played: GameData;
  thought: PlayerThought;
  line: readonly string[];
}): JSX.Element {
  const { value, depth, nodes, timeMs, player } = thought;
  const figures = [
    value === undefined ? "no value" : `value ${Number(value.toPrecision(3))}`,
    ...(depth === undefined ? [] : [`depth ${depth}`]),
    `${nodes.toLocaleString("en")} nodes`,
    `${Number(timeMs.toPrecision(2))} ms`,
  ];
  return (
    <p class="thought">
      <b>{run.entrants[played.seats[player]!]!.name}</b>: {figures.join(", ")}
      {line.length > 0 && (
        <>
          <br />
          <span class="faint">expected</span> {line.join(" ")}
        </>
      )}
    </p>
  );
}

/** The values that the agents expected along the game; a touch goes to the move there. */
export function ValueCurve({
  run,
  contest,
  played,
  thoughts,
  moments: { at, last, go },
}: {
  run: TournamentData;
  contest: Contest;
  played: GameData;
  thoughts: readonly (PlayerThought | undefined)[];
  moments: Moments;
}): JSX.Element | null {
  const { isDuel, minReturn, maxReturn, names, paints } = contest;
  const rows = useMemo(
    () =>
      thoughts.flatMap((thought, index) => {
        if (thought?.value === undefined) return [];
        const { value, player } = thought;
        return [
          {
            move: index + 1,
            value: isDuel && player === 1 ? 0 - value : value,
            player: names[player]!,
          },
        ];
      }),
    [thoughts],
  );
  const colours = paints.map((paint) => `var(--paint-${paint})`);
  const plot = useMemo(
    () => (): Plot.PlotOptions => ({
      height: 170,
      x: { label: "move", domain: [0, Math.max(1, last)] },
      y: {
        label: isDuel ? `value for ${names[0]!}` : "value",
        grid: true,
        ...(isDuel && { domain: [minReturn, maxReturn] }),
      },
      color: { domain: names, range: colours },
      marks: [
        Plot.ruleY([0], { strokeOpacity: 0.4 }),
        Plot.ruleX([at], { stroke: "currentColor", strokeOpacity: 0.5 }),
        ...linesOf(rows, { x: "move", y: "value", by: "player" }),
      ],
    }),
    [rows, at],
  );
  if (rows.length === 0) return null;
  return (
    <>
      <Legend
        of={played.seats.map((entrant, seat) => ({
          name: `${names[seat]!}: ${run.entrants[entrant]!.name}`,
          colour: colours[seat]!,
        }))}
      />
      <Chart
        plot={plot}
        label="What each agent expected along the game."
        onPick={(move) => go(Math.round(move))}
      />
    </>
  );
}
