import { unknownName } from "../../base/text.ts";
import { InputError } from "../../base/errors.ts";

/** An entrant whose rating is fixed. */
export interface Anchor {
  readonly entrant: number;
  /** From -MOST_ANCHOR_ELO to MOST_ANCHOR_ELO. */
  readonly elo: number;
}

/** The highest rating that an entrant can be fixed at, far beyond any player's: differences of one Elo are exact there. */
export const MOST_ANCHOR_ELO = 100_000;

/** Reads `NAME=ELO`; throws InputError. */
export function parseAnchor(text: string, entrants: readonly string[]): Anchor {
  const equals = text.lastIndexOf("=");
  const name = text.slice(0, equals);
  const elo = Number(text.slice(equals + 1));
  if (equals < 1 || text.slice(equals + 1).trim() === "" || !Number.isFinite(elo)) {
    throw new InputError(`"${text}" is no anchor; write NAME=ELO, such as random=0`);
  }
  if (Math.abs(elo) > MOST_ANCHOR_ELO)
    throw new InputError(
      `"${text}": the Elo of an anchor must be from -${MOST_ANCHOR_ELO} to ${MOST_ANCHOR_ELO}`,
    );
  const entrant = entrants.indexOf(name);
  if (entrant < 0) throw new InputError(unknownName("entrant", name, entrants));
  return { entrant, elo };
}
