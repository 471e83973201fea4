import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Note } from "../../arena/plan/config.ts";
import { loadPlannedGame } from "../../arena/plan/plan.ts";
import { FileProblems } from "../../arena/result-files/file-problems.ts";
import { namedTwice } from "../../arena/result-files/load.ts";
import { readPlayedGames } from "../../arena/result-files/played-games.ts";
import { transcripts } from "../../arena/results/export.ts";
import { Store } from "../../arena/store/store.ts";
import type { Problems } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { canonicalJson } from "../../base/plain.ts";
import { createRandom } from "../../base/random.ts";
import { isDuel, type Game, type PlayedGame, type State } from "../../games/contract/game.ts";
import type { CheckedConfig } from "../plan/config.ts";

/** The learner of a config whose rule is `fit`. */
export type FitRule = Extract<CheckedConfig["learner"], { rule: "fit" }>;

/** A finished game that is learned from. */
interface LearnedGame extends PlayedGame {
  /** The actions before the first position that is learned from. */
  readonly openingLength: number;
  /** By action: the value that a search gave the position before it, for the player to move; undefined if unknown. */
  readonly values: readonly (number | undefined)[];
}

/** The games of a fit: those that change the weights, and those that judge them. No game is in both. */
export interface FitGames {
  readonly training: readonly LearnedGame[];
  /** Empty if the config asks for no validation. */
  readonly validation: readonly LearnedGame[];
}

/**
 * Reads the games of a config and splits them. `id` is the game's in the config. Equal lines of play are on one side, whatever their files: the side is drawn
 * by a hash of the line and the seed. A file or run that is named twice is read once. Problems have paths in the config.
 */
export async function readFitGames(
  game: Game,
  rule: FitRule,
  { id, seed, problems, note = () => {} }: { id: string; seed: string; problems: Problems; note?: Note },
): Promise<FitGames | undefined> {
  if (rule.quiet === true && game.tactics === undefined)
    problems.add(["learner", "quiet"], `${game.id} does not tell noisy actions from quiet ones`);
  const seen = new Set<string>();
  const read = await Promise.all(
    rule.games.map((path, at) =>
      problems.atAsync(["learner", "games", at], async () => {
        const again = namedTwice(path, seen);
        if (again !== undefined) {
          note(again);
          return [];
        }
        const games = await readGames(game, { id, path, note });
        if (games.length > 0) return games;
        throw new InputError(`has no finished game of ${game.id}: ${path}`);
      }),
    ),
  );
  if (read.includes(undefined)) return undefined;
  const games = read.flatMap((some) => some!).filter((one) => hasLessons(one, rule.value));
  if (games.length === 0) {
    const lacks =
      rule.value === "search" ? "value from a search; learn from results" : "decision after its opening";
    problems.add(["learner", "games"], `no game has a position with a ${lacks}`);
    return undefined;
  }
  const isValidation = ({ from = "", actions }: LearnedGame) =>
    createRandom(seed, "validation", from, actions.join()).float() < rule.validation;
  const validation = games.filter(isValidation);
  const training = games.filter((one) => !isValidation(one));
  const sizes = `of ${games.length} games ${validation.length} are for validation`;
  if (training.length === 0)
    problems.add(
      ["learner", "validation"],
      `leaves no game to learn from: ${sizes}; lower it, or give more games`,
    );
  if (validation.length === 0 && rule.validation > 0)
    problems.add(
      ["learner", "validation"],
      `leaves no game to validate with: ${sizes}; raise it, or 0 does without`,
    );
  return { training, validation };
}

/** The finished games of a stored run, or of a file of games; games that were forfeited are left out. */
async function readGames(
  game: Game,
  { id, path, note }: { id: string; path: string; note: Note },
): Promise<LearnedGame[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
    const problems = new FileProblems(path);
    const played = await readPlayedGames(game, path, { problems, note });
    for (const text of problems.notes()) note(text);
    return played
      .filter(({ returns }) => returns.length > 0)
      .map((one) => ({ values: [], ...one, openingLength: 0 }));
  }
  if (!existsSync(path)) throw new InputError(`there is no run and no file ${path}`);
  return Store.reading({ dir: path }, async (store) => {
    const plan = store.requirePlan(path);
    const { setups: _, ...spec } = plan.game as { id: string; setups?: unknown };
    const [theirs, own] = [spec, { ...game.options, id }].map((one) =>
      canonicalJson({ ...one, id: basename(one.id) }),
    );
    if (theirs !== own)
      throw new InputError(`has games of ${theirs}, and the training is of ${own}: ${path}`);
    const played = await loadPlannedGame(plan, path);
    return Array.from(transcripts(store, { plan, game: played }))
      .filter(({ forfeit }) => forfeit === "")
      .map(({ from, actions, returns, openingLength = 0, thoughts = [] }) => ({
        ...(from !== undefined && { from }),
        actions,
        returns,
        openingLength,
        values: thoughts.map((thought) => thought?.value),
      }));
  });
}

function hasLessons({ actions, openingLength, values }: LearnedGame, value: FitRule["value"]): boolean {
  return value === "search" ? values.some((one) => one !== undefined) : actions.length > openingLength;
}

/**
 * Visits each position of a game that is learned from, with the final return that `player` should expect there: of a duel
 * once, for player 0, of any other game for each player. The state is valid during the call alone.
 */
export function visitLessons(
  game: Game,
  { from, actions, openingLength, returns, values }: LearnedGame,
  {
    value,
    quiet = false,
    visit,
  }: Pick<FitRule, "value" | "quiet"> & { visit: (state: State, player: number, wanted: number) => void },
): void {
  const state = from === undefined ? game.start() : game.parseState(from);
  const duel = isDuel(game);
  for (const [ply, action] of actions.entries()) {
    if (ply >= openingLength && !(quiet && isNoisy(game, state, action)))
      for (let player = 0; player < (duel ? 1 : game.players); player++) {
        const searched = valueFor(player, values[ply], state.toMove, duel);
        const result = value === "search" ? searched : returns[player]!;
        if (result === undefined) continue;
        visit(state, player, value === "mix" && searched !== undefined ? (result + searched) / 2 : result);
      }
    state.apply(action);
  }
}

/** True if a static evaluation need not know what the position is worth: a search would go on. */
function isNoisy({ tactics }: Game, state: State, action: number): boolean {
  if (tactics === undefined || state.toMove < 0) return false;
  return tactics.isForced(state) || tactics.gain(state, action) !== 0;
}

/** A value of the player to move as that of another; undefined where it says nothing of the other's. */
function valueFor(
  player: number,
  value: number | undefined,
  toMove: number,
  duel: boolean,
): number | undefined {
  if (value === undefined || player === toMove) return value;
  return duel ? 0 - value : undefined;
}
