import type { Parts, Problems } from "../../base/check.ts";
import type { Game } from "../../games/contract/game.ts";
import { MAX_CHECKPOINTS, type CheckedConfig } from "./config.ts";

/** The numbers of games after which a checkpoint is taken: ascending, from 0 to all games. */
export function checkpointGames({
  games,
  checkpoints,
}: Pick<CheckedConfig, "games" | "checkpoints">): number[] {
  const taken = [0];
  if (typeof checkpoints === "number") {
    for (let part = 1; part <= checkpoints; part++) taken.push(Math.round((games * part) / checkpoints));
  } else {
    for (let at = checkpoints.every; at < games; at += checkpoints.every) taken.push(at);
    taken.push(games);
  }
  return [...new Set(taken)];
}

/** Checks that there are not too many checkpoints. */
export function checkCheckpoints({ games, checkpoints }: Parts<CheckedConfig>, problems: Problems): void {
  if (games === undefined || checkpoints === undefined || typeof checkpoints === "number") return;
  const count = Math.ceil(games / checkpoints.every);
  if (count > MAX_CHECKPOINTS)
    problems.add(["checkpoints", "every"], `makes ${count} checkpoints; at most ${MAX_CHECKPOINTS}`);
}

/** Checks that there are games which an older checkpoint can play. */
export function checkPast(
  game: Game,
  { games, round, checkpoints }: Parts<CheckedConfig>,
  problems: Problems,
): void {
  const path = ["opponents", "past"];
  if (game.players === 1) problems.add(path, `has no meaning in ${game.id}, which one player plays`);
  if (games === undefined || checkpoints === undefined) return;
  const last = round === undefined ? games - 1 : (Math.ceil(games / round) - 2) * round;
  const first = checkpointGames({ games, checkpoints })[1]!;
  if (first >= last)
    problems.add(
      path,
      `no checkpoint is there in time: the first one is taken after ${first} of ${games} games; take more, with \`checkpoints\`${round === undefined ? "" : ", or play shorter rounds"}`,
    );
}
