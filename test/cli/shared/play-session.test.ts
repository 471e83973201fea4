import { describe, expect, test } from "vitest";
import type { Agent, AgentSpec } from "../../../src/agents/agent.ts";
import { prepareAgent, type PreparedAgent } from "../../../src/agents/prepare.ts";
import { playAgainst } from "../../../src/cli/shared/play-session.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import type { Game, State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { twins } from "../../support/twins.ts";

/** Plays a session in which the person types these lines; returns all that was written. */
async function playTyping(
  lines: readonly string[],
  {
    spec,
    seat = 0,
    position,
    agent = { agent: "random" },
  }: { spec: GameSpec; seat?: number; position?: string; agent?: AgentSpec | null },
): Promise<string> {
  const game = createGame(spec);
  const typed = [...lines];
  const written: string[] = [];
  await playAgainst({
    game,
    prepared: agent === null ? undefined : prepareAgent(game, agent),
    state: position === undefined ? game.start() : game.parseState(position),
    draw: (state, before) =>
      `[${game.formatState(state)}]${before === undefined ? "" : ` after ${game.formatState(before)}`}`,
    seat,
    seed: "session",
    clock: () => 0,
    write: (text) => void written.push(text),
    read: async (prompt, { arrows = false } = {}) => {
      written.push(prompt, ...(arrows ? ["(arrows)"] : []));
      return typed.shift();
    },
    pause: async () => {},
    save: (file, actions) => {
      if (file === "/full") throw new Error("no space left");
      return `${file}: ${actions.length} actions`;
    },
  });
  return written.join("");
}

test("a game goes on until it is over, and the result is said", async () => {
  const won = await playTyping(["c3"], { spec: { id: "tic-tac-toe" }, position: "oo./.../xx." });
  expect(won).toContain("The game is over: player 1 has won. You win.\n");
});

test("arrow keys play where actions have their names, and help says so", async () => {
  const help = { spec: "2048", agent: null } as const;
  expect(await playTyping(["help", "quit"], help)).toMatch(/\(arrows\)an arrow key, your action, or: /);
  expect(await playTyping(["help", "quit"], { spec: "tic-tac-toe" })).not.toContain("arrow");
});

test("undo goes back to the person's last decision, past the agent's reply", async () => {
  const text = await playTyping(["b2", "undo", "undo", "quit"], { spec: { id: "tic-tac-toe" } });
  const boards = text.match(/\[.*\]/g)!;
  // The start, after b2, after the reply, and the start again.
  expect(boards).toHaveLength(4);
  expect(boards[3]).toBe(boards[0]);
  expect(text).toContain("there is nothing to take back\n");
  expect(text.endsWith("The game is left unfinished.\n")).toBe(true);
});

test("chance is played and shown, and the same seed gives the same dice", async () => {
  const spec = { id: "pig", target: 20 };
  const typed = Array.from({ length: 200 }, () => "roll");
  const text = await playTyping(typed, { spec });
  expect(text).toMatch(/chance: \S+\n/);
  expect(await playTyping(typed, { spec })).toBe(text);
});

test("the board is drawn with the position before the last decision, dice aside", async () => {
  const text = await playTyping(["b2", "undo", "quit"], { spec: { id: "tic-tac-toe" } });
  expect(text).toMatch(/\[\.\.\.\/\.x\.\/\.\.\.\] after \.\.\.\/\.\.\.\/\.\.\.\n/);
  // After undo there is no last decision to show.
  expect(text).toMatch(/> \[\.\.\.\/\.\.\.\/\.\.\.\]\n/);
});

test("before a chance event no board is drawn", async () => {
  const text = await playTyping(["up", "left", "quit"], { spec: { id: "2048" }, agent: null });
  // The start, and after each of two moves at most.
  expect(text.match(/^.*\[/gm)!.length).toBeLessThanOrEqual(3);
  expect(text).toMatch(/^chance: .*\nchance: .*\n\[/);
});

test("a game of one player needs no agent, and then there is no hint", async () => {
  const text = await playTyping(["hint", "quit"], { spec: { id: "2048" }, agent: null });
  expect(text).toContain("there is no agent to ask\n");
});

test("the game is saved on the way, and a file that cannot be written does not end it", async () => {
  const text = await playTyping(["b2", "save a game.pgn", "save /full", "quit"], {
    spec: { id: "tic-tac-toe" },
  });
  expect(text).toContain("> a game.pgn: 2 actions\n");
  expect(text).toContain("> no space left\n");
  expect(text.endsWith("The game is left unfinished.\n")).toBe(true);
});

test("whose turn it is, and who has won, is told from the person's seat", async () => {
  const position = "oo./.../xx.";
  const spec = { id: "tic-tac-toe" };
  // x to move wins by c3; the agent that looks one move ahead sees it too.
  const agent = { agent: "minimax", depth: 1 };
  const lost = await playTyping([], { spec, position, seat: 1, agent });
  expect(lost).toMatch(
    /^\[oo.*\]\nplayer 1 plays c3 .*\n\[.*\] after .*\nThe game is over: player 1 has won\. You lose\.\n$/,
  );
  const drawn = await playTyping(["c3"], { spec, position: "xox/xoo/ox.", agent });
  expect(drawn).toMatch(/^\[.*\]\nplayer 1 \(you\) > \[.*\] after .*\nThe game is over: [^.]*\.\n$/);
});

test("the commands answer and leave the position as it is", async () => {
  const text = await playTyping(["", "help", " moves ", "state", "z9", "quit"], {
    spec: { id: "tic-tac-toe" },
    position: "oo./.../xx.",
  });
  const help = "your action, or: undo, hint, moves, state, save FILE, help, quit";
  const game = createGame("tic-tac-toe");
  const state = game.parseState("oo./.../xx.");
  const moves = Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
  expect(moves).toHaveLength(5);
  const asked = "player 1 (you) > ";
  const answers = text.split(asked);
  expect(answers.slice(1, 5)).toEqual([
    `${help}\n`,
    `${help}\n`,
    `${moves.join(" ")}\n`,
    `${game.formatState(state)}\n`,
  ]);
  expect(answers[5]).toContain("z9");
  expect(answers[6]).toBe("The game is left unfinished.\n");
});

test("a hint has what the agent knows, and no more", async () => {
  const spec = { id: "tic-tac-toe" };
  const position = "oo./.../xx.";
  const hint = async (agent: AgentSpec, from = position) =>
    (await playTyping(["hint", "quit"], { spec, position: from, agent })).split(" > ")[1];
  // A win at once: one move, and nothing that comes after it.
  expect(await hint({ agent: "minimax", depth: 1 })).toMatch(
    /^c3 {3}\(value 1\.000, depth 1, \d+ nodes\)\nplayer 1 \(you\)$/,
  );
  // Nobody has won after two moves, so the line has both.
  expect(await hint({ agent: "minimax", depth: 2 }, "x../.o./...")).toMatch(
    /^\S+ {3}\(value -?\d\.\d{3}, depth 2, \d+ nodes, line \S+ \S+\)\n/,
  );
  expect(await hint({ agent: "random" })).toMatch(/^\S+\n/);
});

test("the agent is told the play since the position that the session began in", async () => {
  const game = createGame("connect-four");
  const told: string[] = [];
  const prepared = {
    ...prepareAgent(game, { agent: "random" }),
    create: (): Agent => ({
      choose(state, { played }) {
        const { from, actions } = played!();
        const copy = game.parseState(from!);
        for (const action of actions) copy.apply(action);
        expect(game.formatState(copy)).toBe(game.formatState(state));
        told.push(game.formatState(copy));
        return { action: 0, nodes: 0, line: [0] };
      },
    }),
  };
  const typed = ["4", "hint", "undo", "5", "quit"];
  await playAgainst({
    game,
    prepared,
    state: game.parseState("44"),
    draw: () => "",
    seat: 0,
    seed: "session",
    clock: () => 0,
    write: () => {},
    read: async () => typed.shift(),
    pause: async () => {},
    save: () => "",
  });
  const positions = ["444", "4441", "445"].map((moves) => game.formatState(game.parseState(moves)));
  expect(told).toEqual(positions);
});

describe("where something is hidden", () => {
  /** The other player plays these actions one after the other, and thinks aloud and as long as it likes. */
  function scripted(actions: readonly number[], think: () => void): PreparedAgent {
    const prepared = prepareAgent(createGame("tic-tac-toe"), { agent: "random" });
    let at = 0;
    const choose = (state: State) => {
      think();
      const possible = possibleActions(createGame("phantom-tic-tac-toe"), state);
      const action = actions[at++] ?? possible[0]!;
      return { action, value: action / 10, nodes: 10 + action, line: [action, action] };
    };
    return { ...prepared, create: () => ({ choose }) };
  }

  function moversOf(game: Game, actions: readonly number[]): number[] {
    const state = game.start();
    return actions.map((action) => {
      const mover = state.toMove;
      state.apply(action);
      return mover;
    });
  }

  /** A person's text and the moments at which it came, in a game that goes this way and then on to a question. */
  async function sightOf(game: Game, actions: readonly number[], seat: number) {
    const movers = moversOf(game, actions);
    const last = ["help", "state", "undo", "save game", "moves", "quit"];
    const of = (own: boolean) => actions.filter((_, at) => (movers[at] === seat) === own);
    const typed = of(true).map((action) => game.formatAction(action, game.start()));
    const shown: [string, number][] = [];
    let now = 0;
    const write = (text: string) => void shown.push([text, now]);
    const { ending } = await playAgainst({
      game,
      prepared: scripted(of(false), () => (now += 7)),
      state: game.start(),
      draw: () => "all is drawn",
      seat,
      seed: "session",
      clock: () => now,
      write,
      async read(prompt) {
        write(prompt);
        return typed.shift() ?? last.shift();
      },
      pause: async (timeMs) => void (now += timeMs),
      save: () => "saved",
    });
    return { shown, ending };
  }

  test("a person sees and reads the same in all games with the same codes, at the same time", async () => {
    const game = createGame("phantom-tic-tac-toe");
    let differ = 0;
    for (const { player, truth, twin } of twins(game, 60)) {
      const [one, other] = [await sightOf(game, truth, player), await sightOf(game, twin, player)];
      expect(other).toEqual(one);
      expect(one.ending).toBe("quit");
      if (truth.length !== twin.length) differ++;
    }
    // The number of actions tells nothing either.
    expect(differ).toBeGreaterThan(5);
  });

  test("cards and actions of others are not told, and all lies open in the end", async () => {
    const text = await playTyping(["moves", "undo", "state", "bet"], {
      spec: "kuhn",
      agent: { agent: "ismcts", simulations: 20 },
    });
    const [before, after] = text.split("Now all lies open: ") as [string, string];
    expect(before).toMatch(/^[JQK] \?\nplayer 1 \(you\) > check bet\n/);
    expect(before).not.toMatch(/chance|plays|[JQK] [JQK]/);
    expect(before.split("not before the game is over")).toHaveLength(3);
    expect(after).toMatch(/^[JQK] [JQK] bet (call|fold)\n\[[JQK] [JQK] bet .*\nThe game is over: /);
  });

  test("a hint comes from what the person knows", async () => {
    const spec = "kuhn";
    const agent = { agent: "ismcts", simulations: 300 };
    const text = await playTyping(["hint", "hint", "quit"], { spec, agent });
    expect(text).toMatch(/> (check|bet) {3}\(value -?\d\.\d+, 300 nodes\)\n/);
  });
});
