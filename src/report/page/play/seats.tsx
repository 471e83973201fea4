import type { JSX } from "preact";
import type { TournamentData } from "../data.ts";
import { Select } from "../parts.tsx";
import { PERSON } from "./address.ts";

/** Entrants that the page can play, the strongest first. */
export function rankedPlayable({ entrants, report }: TournamentData): number[] {
  return report.entrants
    .map(({ name }) => entrants.findIndex((entrant) => entrant.name === name))
    .filter((entrant) => entrant >= 0 && entrants[entrant]!.misses === undefined);
}

/** The player of each seat: an entrant of the run, or a person. */
export function Seats({
  run,
  names,
  seats,
  onChange,
}: {
  run: TournamentData;
  names: readonly string[];
  seats: readonly number[];
  onChange: (seats: readonly number[]) => void;
}): JSX.Element {
  const missing = run.entrants.filter(({ misses }) => misses !== undefined);
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {seats.map((chosen, seat) => (
        <Select
          key={seat}
          name={names[seat]!}
          value={String(chosen)}
          options={[
            { value: String(PERSON), text: "you" },
            ...run.entrants.map(({ name, misses }, entrant) => ({
              value: String(entrant),
              text: name,
              disabled: misses !== undefined,
            })),
          ]}
          onChange={(value) => onChange(seats.with(seat, Number(value)))}
        />
      ))}
      {missing.length > 0 && (
        <details>
          <summary>{missing.length} cannot play here</summary>
          <ul>
            {missing.map(({ name, misses }) => (
              <li key={name}>
                {name}: {misses}
              </li>
            ))}
          </ul>
        </details>
      )}
    </form>
  );
}
