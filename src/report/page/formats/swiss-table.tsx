import type { JSX } from "preact";
import type { SwissResults } from "../../../ratings/format-results.ts";
import { addressOf } from "../address.ts";
import { shortened } from "../charts.tsx";
import type { TournamentData } from "../data.ts";
import { DataTable, figures, heat, Panel, percent, type Column } from "../parts.tsx";

type Place = SwissResults["standings"][number];
type Round = Place["rounds"][number];

/** The standings of a Swiss tournament, with the opponents and results of each round. A result opens its games. */
export function SwissTable({
  run,
  results: { standings },
}: {
  run: TournamentData;
  results: SwissResults;
}): JSX.Element {
  const rounds = standings[0]?.rounds.length ?? 0;
  const rankOf = new Map(standings.map(({ rank, name }) => [name, rank]));
  const columns: Column<Place>[] = [
    figures(
      "#",
      ({ rank }) => rank,
      ({ rank }) => rank,
    ),
    { title: "Entrant", isHead: true, cell: ({ name }) => name, order: ({ name }) => name },
    figures(
      "Points",
      ({ points }) => <b>{pointsText(points)}</b>,
      ({ points }) => points,
    ),
    figures(
      "Buchholz",
      ({ buchholz }) => pointsText(buchholz),
      ({ buchholz }) => buchholz,
    ),
    figures(
      "Score",
      ({ score }) => percent(score),
      ({ score }) => score,
    ),
    ...Array.from({ length: rounds }, (_, at): Column<Place> => ({
      title: `Round ${at + 1}`,
      class: "met",
      cell: ({ name, rounds: own }) => (
        <RoundCell run={run} name={name} round={own[at] ?? null} rankOf={rankOf} />
      ),
    })),
  ];
  return (
    <Panel
      title={`Swiss: standings after ${rounds} round${rounds === 1 ? "" : "s"}`}
      note={
        "A win is a point, and so is a bye. Buchholz is the sum of the opponents' points. " +
        "A round shows the points, the share of the match, and the opponent by rank; it opens the games."
      }
    >
      <DataTable label="Swiss standings" columns={columns} rows={standings} keyOf={({ name }) => name} />
    </Panel>
  );
}

function RoundCell({
  run,
  name,
  round,
  rankOf,
}: {
  run: TournamentData;
  name: string;
  round: Round;
  rankOf: ReadonlyMap<string, number>;
}): JSX.Element {
  if (round === null) return <span class="faint">…</span>;
  const { opponents, points, score } = round;
  if (opponents.length === 0) return <span class="faint">{pointsText(points)} bye</span>;
  const share = percent(score);
  return (
    <a
      href={addressOf(run.folder, "games", { entrant: name, opponent: opponents[0]! })}
      style={heat(points - 0.5)}
      title={`${name} against ${opponents.join(" and ")}: ${share}`}
    >
      <b>{pointsText(points)}</b> {share}
      {opponents.map((opponent) => (
        <small key={opponent}>
          {rankOf.get(opponent)} {shortened(opponent, 14)}
        </small>
      ))}
    </a>
  );
}

/** `2½`, or at most two decimals. */
function pointsText(points: number): string {
  const whole = Math.floor(points);
  if (points - whole === 0.5) return `${whole === 0 ? "" : whole}½`;
  return String(Number(points.toFixed(2)));
}
