import type { State } from "./rules.ts";

/** An action of a book; its weight is more than 0. */
export interface WeightedAction {
  readonly action: number;
  readonly weight: number;
}

/** An opening book of another program. */
export interface ForeignBook<S extends State = State> {
  /** The legal actions that it has in a position. */
  actions(state: S): WeightedAction[];
}

/** A format of such books. */
export interface BookFormat<S extends State = State> {
  readonly summary: string;
  /** Reads the content of a file. Throws InputError. */
  read(bytes: Uint8Array): ForeignBook<S>;
}
