import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { createGame } from "../../games/index.ts";
import { addressOf } from "./address.ts";
import { BeyondElo } from "./beyond-elo.tsx";
import { Chart, COLOURS, INK, namedRows, Plot } from "./charts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import { endingOf, movesFrom } from "./game-text.ts";
import { DataTable, figures, Legend, Panel, percent, type Column } from "./parts.tsx";

/** The results by seat, opening and length of the game; what ratings do not explain; effort and forfeits. */
export function Breakdown({ run }: { run: TournamentData }): JSX.Element {
  if (run.report.games === 0) return <p>No game has been played yet.</p>;
  return (
    <>
      {run.report.players > 1 && <Seats run={run} />}
      <BeyondElo report={run.report} />
      <Effort run={run} />
      <Lengths run={run} />
      <Openings run={run} />
      <Forfeits run={run} />
    </>
  );
}

function Seats({ run }: { run: TournamentData }): JSX.Element {
  const { entrants, breakdown, report } = run;
  const rows = report.entrants.map(({ name }) => entrants.findIndex((entrant) => entrant.name === name));
  const columns: Column<number>[] = [
    { title: "Entrant", isHead: true, cell: (entrant) => entrants[entrant]!.name },
    ...seatColumns<number>(report.players, (entrant, seat) => {
      const { score, games } = breakdown.seats[entrant]![seat]!;
      return (
        <>
          {games === 0 ? "" : percent(score)} <span class="faint">of {games}</span>
        </>
      );
    }),
  ];
  return (
    <Panel title="By seat" note="Share of the points that an entrant won in each seat.">
      <DataTable label="Scores by seat" columns={columns} rows={rows} keyOf={(entrant) => entrant} />
    </Panel>
  );
}

function seatColumns<Row>(
  players: number,
  cell: (row: Row, seat: number) => ComponentChildren,
): Column<Row>[] {
  return Array.from({ length: players }, (_, seat) =>
    figures(`Player ${seat + 1}`, (row) => cell(row, seat)),
  );
}

function Effort({ run }: { run: TournamentData }): JSX.Element | null {
  const rows = run.report.entrants.filter(({ nodesPerMove, msPerMove }) => nodesPerMove > 0 && msPerMove > 0);
  const plot = useMemo(() => {
    const nodes = ({ nodesPerMove }: { nodesPerMove: number }) =>
      `${Math.round(nodesPerMove).toLocaleString("en")} nodes`;
    return (width: number): Plot.PlotOptions => ({
      ...namedRows(
        rows.map(({ name }) => name),
        width,
      ),
      marginRight: 90,
      x: { type: "log", label: "milliseconds a move", grid: true, nice: true, tickFormat: String, ticks: 5 },
      marks: [
        Plot.dot(rows, { x: "msPerMove", y: "name", fill: INK, r: 5 }),
        Plot.text(rows, {
          x: "msPerMove",
          y: "name",
          text: nodes,
          dx: 10,
          textAnchor: "start",
          fill: "currentColor",
        }),
      ],
    });
  }, [run]);
  if (rows.length === 0) return null;
  const label = rows
    .map(
      ({ name, nodesPerMove, msPerMove }) =>
        `${name}: ${Math.round(nodesPerMove)} nodes, ${msPerMove.toPrecision(2)} ms`,
    )
    .join("; ");
  return (
    <Panel title="Effort" note="What each entrant spends on a move; the axis is logarithmic.">
      <Chart plot={plot} label={`Nodes and time a move. ${label}.`} />
    </Panel>
  );
}

const RESULTS = [
  ["won", "first seat won", COLOURS[0]!],
  ["drawn", "shared", COLOURS[6]!],
  ["lost", "first seat lost", COLOURS[1]!],
] as const;

function Lengths({ run }: { run: TournamentData }): JSX.Element {
  const { lengths } = run.breakdown;
  const plot = useMemo(() => {
    const bars = lengths.flatMap((bin) =>
      RESULTS.map(([key, result]) => ({ from: bin.from - 0.5, to: bin.to + 0.5, result, games: bin[key] })),
    );
    return (): Plot.PlotOptions => ({
      height: 220,
      // Lengths are whole numbers.
      x: {
        label: "actions in a game",
        tickFormat: (length: number) => (length % 1 === 0 ? String(length) : ""),
      },
      y: { label: "games", grid: true },
      color: {
        domain: RESULTS.map(([, name]) => name),
        range: RESULTS.map(([, , colour]) => colour),
        legend: false,
      },
      marks: [
        Plot.rectY(bars, Plot.stackY({ x1: "from", x2: "to", y: "games", fill: "result", inset: 0.5 })),
        Plot.ruleY([0]),
      ],
    });
  }, [run]);
  const [first, last] = [lengths[0]!, lengths.at(-1)!];
  return (
    <Panel title="By length" note="Moves, with dice and other chance events.">
      <Legend
        of={RESULTS.map(([key, name, colour]) => ({
          name: run.report.players === 1 && key === "won" ? "games" : name,
          colour,
        }))}
      />
      <Chart plot={plot} label={`Games by length, from ${first.from} to ${last.to} actions.`} />
    </Panel>
  );
}

function Openings({ run }: { run: TournamentData }): JSX.Element | null {
  const { openings, openingCount } = run.breakdown;
  const game = useMemo(() => (run.hasRules ? createGame(run.game) : undefined), [run]);
  if (openingCount <= 1) return null;
  const shown =
    openings.length === openingCount
      ? `each of the ${openingCount} openings`
      : `the ${openings.length} openings that were played most, of ${openingCount.toLocaleString("en")}`;
  const columns: Column<(typeof openings)[number]>[] = [
    {
      title: "Opening",
      isHead: true,
      cell: ({ actions }) =>
        actions.length > 0 && game !== undefined ? (
          <a href={addressOf(run.folder, "games", { opening: actions.join() })}>
            {movesFrom(game, game.start(), actions)
              .map(({ text }) => text)
              .join(" ")}
          </a>
        ) : (
          actions.join(" ") || "the start"
        ),
    },
    figures("Games", ({ games }) => games),
    ...seatColumns<(typeof openings)[number]>(openings[0]!.scores.length, ({ scores }, seat) =>
      percent(scores[seat]!),
    ),
  ];
  return (
    <Panel title="By opening" note={`How the seats fared after ${shown}.`}>
      <details>
        <summary>Show the openings</summary>
        <DataTable
          label="Scores by opening"
          columns={columns}
          rows={openings}
          keyOf={({ actions }) => actions.join()}
        />
      </details>
    </Panel>
  );
}

function Forfeits({ run }: { run: TournamentData }): JSX.Element | null {
  const games = run.games.filter(({ forfeitSeat }) => forfeitSeat >= 0);
  if (games.length === 0) return null;
  const columns: Column<GameData>[] = [
    {
      title: "Who",
      isHead: true,
      cell: ({ seats, forfeitSeat }) => run.entrants[seats[forfeitSeat]!]!.name,
    },
    { title: "Why", cell: ({ ending }) => ending },
    { title: "What happened", class: "detail", cell: ({ detail }) => detail },
    {
      title: "Game",
      cell: (game) => <a href={addressOf(run.folder, "games", { game: game.id })}>{endingOf(run, game)}</a>,
    },
  ];
  return (
    <Panel title="Forfeits" note="Games that were ended by an agent's fault.">
      <DataTable label="Forfeits" columns={columns} rows={games} keyOf={({ id }) => id} />
    </Panel>
  );
}
