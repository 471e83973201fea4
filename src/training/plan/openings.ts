import { resolve } from "node:path";
import type { Problems } from "../../base/check.ts";
import type { Game } from "../../games/contract/game.ts";
import { readPositions } from "../../specs/games.ts";
import type { Openings, StartOptions } from "../self-play/start-positions.ts";

/** The openings with the paths of their files whole. */
export function locateOpenings(openings: Openings, baseDir: string): Openings {
  const locate = <T extends Opening>(opening: T): T =>
    typeof opening.states === "string" ? { ...opening, states: resolve(baseDir, opening.states) } : opening;
  return "mix" in openings ? { mix: openings.mix.map(locate) } : locate(openings);
}

/** An opening of the config, alone or in a mixture. */
export type Opening = Extract<Openings, { randomPlies: unknown }>;

/** The openings of a config, each with its path in it. */
export function openingsOf(
  openings: Openings,
): { opening: Opening & { share?: number }; path: PropertyKey[] }[] {
  return "mix" in openings
    ? openings.mix.map((opening, at) => ({ opening, path: ["openings", "mix", at] }))
    : [{ opening: openings, path: ["openings"] }];
}

/** Reads the positions of the openings. */
export function planStarts(game: Game, openings: Openings, problems: Problems): StartOptions[] {
  return openingsOf(openings).map(({ opening: { share, randomPlies: plies, states: given }, path }) => {
    const randomPlies = typeof plies === "number" ? { from: plies, to: plies } : plies;
    if (randomPlies.from > randomPlies.to)
      problems.add([...path, "randomPlies"], "`from` must be at most `to`");
    const states = given && problems.at([...path, "states"], () => readPositions(game, given));
    return { randomPlies, ...(share !== undefined && { share }), ...(states && { states }) };
  });
}
