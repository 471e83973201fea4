import { InputError } from "../../base/errors.ts";
import { describeError, theirPlaceOf } from "../../base/thrown.ts";
import type { FeatureSet, Game, Heuristic } from "../../games/contract/game.ts";
import { featuresShape, heuristicShape } from "../../games/check/member-checks.ts";
import { checkMembers, importPlugin } from "./import-plugin.ts";

/*
 * The user's games, evaluators and feature sets are checked when they are made, so that a mistake is reported at once
 * instead of hanging or crashing later.
 */

/** Makes a game by `create` and checks it. Throws InputError that names `id`: the path of its file, or the game's id. */
export async function makeChecked(id: string, create: () => Game): Promise<Game> {
  const game = makeNamed(id, create);
  await checkRules(game, id);
  return game;
}

/** Makes a game by `create`. Throws InputError that names `id` where that throws. */
export function makeNamed(id: string, create: () => Game): Game {
  try {
    return create();
  } catch (error) {
    if (error instanceof InputError) throw naming(id, error);
    const place = theirPlaceOf(error);
    const where = place === undefined ? "" : `, at ${place}`;
    throw new InputError(`${id} makes no game: ${describeError(error)}${where}`);
  }
}

/** Returns the error with the name of the file in each problem that has no path in the spec. */
function naming(file: string, { problems }: InputError): InputError {
  return new InputError(
    problems.map(({ path, message }) => ({
      path,
      message: path !== "" || message.startsWith(file) ? message : `${file}: ${message}`,
    })),
  );
}

/** The checks of `agon check` without which nothing works, on a few positions. */
const FEW = { only: ["to-move", "legal-actions", "chance", "returns", "end"], games: 2, maxPositions: 80 };

/** Throws InputError for the first fault of a game, which `path` names. */
async function checkRules(game: Game, path: string): Promise<void> {
  const { checkGame } = await import("../../games/check/check-game.ts");
  const [first] = checkGame(game, FEW);
  if (first === undefined) return;
  const { found, moves, thrownAt, demand } = first;
  const where = [
    moves === undefined || moves.length === 0 ? "" : ` after ${moves.slice(-5).join(", ")}`,
    thrownAt === undefined ? "" : ` at ${thrownAt}`,
  ].join("");
  throw new InputError(`${path}: ${found}${where}; ${demand} (agon check says more)`);
}

/** Makes the evaluator that a file exports, for `game`; throws InputError. */
export async function makeEvaluator(game: Game, path: string): Promise<Heuristic> {
  const made = fit(await importPlugin(path, "evaluator"), game, path);
  checkMembers(made, heuristicShape, `${path}: the result of \`create\``);
  return made;
}

/** Makes the feature set that a file exports, for `game`; throws InputError. */
export async function makeFeatures(game: Game, path: string): Promise<FeatureSet> {
  const made = fit(await importPlugin(path, "features"), game, path);
  checkMembers(made, featuresShape, `${path}: the result of \`create\``);
  return made;
}

function fit<Made>(
  family: { unsupported?(game: Game): string | undefined; create(game: Game): Made },
  game: Game,
  path: string,
): Made {
  const trait = family.unsupported?.(game);
  if (trait !== undefined) throw new InputError(`${path} does not fit ${game.id}, which has ${trait}`);
  return family.create(game);
}
