import { InputError } from "../../base/errors.ts";
import { unknownName } from "../../base/text.ts";
import { singleRound, type FormatPlan } from "./format.ts";
import { binomial, combinations } from "./round-robin.ts";

/**
 * Each of some named entrants, the challengers, meets every set of `players - 1` of the others, the field. Challengers do
 * not meet each other, nor does the field. The pairings are some of a round robin's, and their games have the same ids.
 */
export const gauntlet = singleRound({
  count(plan) {
    const { challengers, field } = gauntletSides(plan);
    return challengers.length * binomial(field.length, plan.players - 1);
  },
  *pairings(plan) {
    const { challengers, field } = gauntletSides(plan);
    for (const challenger of challengers)
      for (const set of combinations(field.length, plan.players - 1))
        yield [challenger, ...set.map((at) => field[at]!)].toSorted((a, b) => a - b);
  },
});

/** The challengers, as the config lists them, and the others; throws InputError. */
export function gauntletSides({ format, entrants, players }: FormatPlan): {
  readonly challengers: readonly number[];
  readonly field: readonly number[];
} {
  const names = entrants.map(({ name }) => name);
  const wanted = format["challengers"] as readonly string[];
  const challengers = wanted.map((name) => names.indexOf(name));
  const field = [...names.keys()].filter((entrant) => !challengers.includes(entrant));
  for (const [at, name] of wanted.entries()) {
    if (challengers[at]! < 0) throw wrong(unknownName("entrant", name, names), `challengers[${at}]`);
    if (wanted.indexOf(name) < at) throw wrong(`"${name}" is named twice`, `challengers[${at}]`);
  }
  if (players === 1)
    throw wrong("everybody plays alone in a game of one player: take the format round-robin", "");
  if (field.length < players - 1)
    throw wrong(`leaves ${field.length} for the field; games of ${players} need at least ${players - 1}`);
  return { challengers, field };
}

function wrong(message: string, path = "challengers"): InputError {
  return new InputError([{ path, message }]);
}
