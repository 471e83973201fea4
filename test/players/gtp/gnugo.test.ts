import { describe, expect, onTestFinished } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { Referee } from "../../../src/arena/play/referee.ts";
import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { randomPositions } from "../../agents/play.ts";
import { COLOURS, stonesOf, GtpConnection } from "../../../src/players/gtp/dialect.ts";
import { findProgram, PlayerProcess } from "../../../src/players/player-process.ts";
import { loadAgent } from "../../../src/specs/agents.ts";
import { engineTest } from "../../support/engines.ts";
import { slow, thorough } from "../../support/thorough.ts";

/*
 * GNU Go referees our games: it accepts every move, forbids what we forbid, and counts as we do.
 */

/** Rules of ours with the options of GNU Go that are the same rules. */
const RULES = [
  [{ ko: "positional-superko" }, ["--positional-superko"]],
  [{ ko: "simple", repetition: "play-on" }, ["--simple-ko"]],
  [{ ko: "positional-superko", suicide: true }, ["--positional-superko", "--allow-suicide"]],
  [{ ko: "simple", repetition: "draw", suicide: true }, ["--simple-ko", "--allow-suicide"]],
] as const;
const PLAYS_OUT = ["--play-out-aftermath", "--capture-all-dead", "--never-resign"];

function command(...options: string[]): [string, ...string[]] {
  return [findProgram("gnugo")!, "--mode", "gtp", "--chinese-rules", ...options];
}

/** A GNU Go with the board and the komi of a game. */
async function connect(game: Game, ...options: string[]): Promise<GtpConnection> {
  const process = new PlayerProcess({ command: command(...options) });
  onTestFinished(() => process.kill());
  const gnugo = new GtpConnection(process);
  await gnugo.demand(`boardsize ${String(game.options["size"])}`);
  await gnugo.demand(`komi ${String(game.options["komi"])}`);
  return gnugo;
}

/** Plays a game there, move by move; `before` is called in each position. */
async function replay(
  gnugo: GtpConnection,
  game: Game,
  { actions, before }: { actions: Iterable<number>; before?: (state: State) => Promise<void> },
): Promise<State> {
  const state = game.start();
  await gnugo.demand("clear_board");
  for (const action of actions) {
    await before?.(state);
    await gnugo.demand(`play ${COLOURS[state.toMove]} ${game.formatAction(action, state)}`);
    state.apply(action);
  }
  return state;
}

/** A random game that passes only where nothing else is possible, such that stones are captured again and again. */
function* randomGame(game: Game, seed: number): Generator<number> {
  const random = createRandom("gnugo", seed);
  const state = game.start();
  while (state.toMove !== TERMINAL) {
    const actions = [...possibleActions(game, state)];
    const moves = actions.length > 1 ? actions.slice(0, -1) : actions;
    const action = moves[random.below(moves.length)]!;
    yield action;
    state.apply(action);
  }
}

describe("GNU Go", () => {
  for (const [rules, options] of RULES) {
    engineTest("gnugo")(`has the legal moves of ${JSON.stringify(rules)}`, async () => {
      const game = createGame({ id: "go", size: 5, ...rules });
      const gnugo = await connect(game, ...options);
      for (const seed of Array.from({ length: thorough(8, 3) }, (_, at) => at)) {
        await replay(gnugo, game, {
          actions: randomGame(game, seed),
          async before(state) {
            const theirs = (await gnugo.demand(`all_legal ${COLOURS[state.toMove]}`))
              .toLowerCase()
              .split(" ");
            const ours = Array.from(possibleActions(game, state), (action) =>
              game.formatAction(action, state),
            );
            expect(["pass", ...theirs.filter((move) => move !== "")].toSorted()).toEqual(ours.toSorted());
          },
        });
      }
    });
  }

  engineTest("gnugo")("takes the stones of any position, one after the other", async () => {
    const game = createGame({ id: "go", size: 7, ko: "positional-superko" });
    const gnugo = await connect(game);
    for (const state of randomPositions(game, thorough(40, 20), { plies: 90 })) {
      const stones = stonesOf(game.formatState(state), 7);
      await gnugo.demand("clear_board");
      for (const stone of stones) await gnugo.demand(`play ${stone}`);
      const lists = [await gnugo.demand("list_stones black"), await gnugo.demand("list_stones white")];
      const theirs = lists.flatMap((list, player) =>
        list
          .toLowerCase()
          .split(" ")
          .flatMap((point) => (point === "" ? [] : [`${COLOURS[player]!} ${point}`])),
      );
      expect(theirs.toSorted()).toEqual(stones.toSorted());
    }
  });

  slow(engineTest("gnugo"))("plays against itself, and counts the end as we do", async () => {
    const options = ["--positional-superko", ...PLAYS_OUT];
    for (const size of [7, 9, 13]) {
      const game = createGame({ id: "go", size, ko: "positional-superko" });
      const gnugo = await connect(game, "--level", "0", ...options);
      const seats = await Promise.all(
        ["1", "0"].map(async (level) => {
          const spec = { agent: "gtp", command: command("--level", level, ...options) };
          const agent = (await loadAgent(game, spec)).create();
          onTestFinished(() => agent.close?.());
          return { agent, budget: {} };
        }),
      );
      const referee = new Referee(game, () => 0);
      for (const seed of Array.from({ length: 4 }, (_, at) => at)) {
        const setup = { id: `game ${size} ${seed}`, seed: "seed", block: "block", opening: [] };
        const { ending, actions, returns, detail } = await referee.play(seats, setup);
        expect([ending, detail]).toEqual(["finished", ""]);
        await replay(gnugo, game, { actions });
        const score = await gnugo.demand("final_score");
        expect([score[0], returns]).toEqual(returns[0]! > 0 ? ["B", [1, -1]] : ["W", [-1, 1]]);
      }
    }
  });

  slow(engineTest("gnugo"))("plays the same game again, as its seed is that of the game", async () => {
    const game = createGame({ id: "go", size: 7, ko: "positional-superko" });
    const playOnce = async (id: string) => {
      const spec = { agent: "gtp", command: command("--level", "0", "--positional-superko") };
      const agent = (await loadAgent(game, spec)).create();
      onTestFinished(() => agent.close?.());
      const seats = [
        { agent, budget: {} },
        { agent: (await loadAgent(game, { agent: "greedy", evaluator: "area" })).create(), budget: {} },
      ];
      const setup = { id, seed: "seed", block: "block", opening: [] };
      return (await new Referee(game, () => 0).play(seats, setup)).actions;
    };
    expect(await playOnce("one")).toEqual(await playOnce("one"));
  });
});
