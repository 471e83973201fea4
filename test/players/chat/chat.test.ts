import { describe, expect, test, vi } from "vitest";
import type { Turn } from "../../../src/agents/agent.ts";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { sampleChance } from "../../../src/games/contract/notation.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { createGame, games } from "../../../src/games/index.ts";
import { EndOfRun } from "../../../src/players/player-process.ts";
import { ask, introduce, readAction, rulesOf } from "../../../src/players/chat/prompt.ts";
import { last, chatServer, replyOf, status, type Asked, type Part } from "../../support/servers/chat.ts";
import { playGame, seatOf } from "../../support/players.ts";

const KEY = "sk-never-to-be-seen";

/** A game of tic-tac-toe of a chat model with itself, and what the server was asked. */
async function play(
  act: (asked: Asked, count: number) => Part,
  { limitMs = 10_000, id = "tic-tac-toe", ...options }: Readonly<Record<string, unknown>> = {},
) {
  vi.stubEnv("CHAT_TEST_KEY", KEY);
  const { url, all } = await chatServer(act);
  const game = createGame({ id: id as string });
  const spec = { agent: "chat", url, model: "a-model", key: "CHAT_TEST_KEY", ...options };
  const seats = await Promise.all(Array.from({ length: game.players }, async () => seatOf(game, spec)));
  return { game, all, result: playGame(game, seats, { limitMs: limitMs as number }) };
}

describe("a chat model", () => {
  test("plays the actions that its answers end with", async () => {
    const { all, result } = await play(last, { temperature: 0, maxTokens: 50, body: { seed: 7 } });
    const { ending, actions } = await result;
    expect(ending).toBe("finished");
    // By the notation of the game: cells 8, 7, 6 and so on.
    expect(actions).toEqual([8, 7, 6, 5, 4, 3, 2]);
    expect(all[0]).toMatchObject({
      path: "/v1/chat/completions",
      key: `Bearer ${KEY}`,
      model: "a-model",
      temperature: 0,
      max_tokens: 50,
      seed: 7,
    });
    const [system, user] = all[1]!.messages;
    expect(system!.content).toContain("You are player 1 of the players 0 to 1.");
    expect(system!.content).toContain("an action is a cell");
    expect(user!.content).toContain("Actions so far: c3\n\nPosition: .../.../..x\n\n");
  });

  test("is told what was wrong, as often as retries allow", async () => {
    const faults = ["I resign.", "ACTION: z9", "ACTION:"];
    const { all, result } = await play((asked, count) => faults[count - 1] ?? last(asked), { retries: 3 });
    expect((await result).ending).toBe("finished");
    expect(all[3]!.messages.map(({ role }) => role).join(" ")).toBe(
      "system user assistant user assistant user assistant user",
    );
    const told = all[3]!.messages.slice(2).map(({ content }) => content);
    expect(told).toEqual([
      "I resign.",
      expect.stringContaining("no line with your action"),
      "ACTION: z9",
      expect.stringContaining('"z9" is not a legal action here.'),
      "ACTION:",
      expect.stringContaining("no line with your action"),
    ]);
  });

  test("forfeits after as many answers without a legal action", async () => {
    const { all, result } = await play(() => "ACTION: z9", { retries: 1 });
    const { ending, forfeitSeat, detail } = await result;
    expect({ ending, forfeitSeat }).toEqual({ ending: "illegal action", forfeitSeat: 0 });
    expect(detail).toContain('no legal action in 2 answers; what it was told of the last one: "z9" is not');
    expect(all.length).toBe(2);
  });

  test("is told that its answer was cut", async () => {
    const cut = status(200, replyOf("Let me think about all that", { finish_reason: "length" }));
    const { all, result } = await play((asked, count) => (count === 1 ? cut : last(asked)));
    expect((await result).ending).toBe("finished");
    expect(all[1]!.messages.at(-1)!.content).toContain("was cut");
  });

  test("may have parts of text, or nothing, as its content", async () => {
    const { result } = await play((asked, count) =>
      count === 1
        ? status(200, replyOf(null))
        : status(200, replyOf([{ type: "text", text: last(asked) }, { type: "other" }])),
    );
    expect((await result).ending).toBe("finished");
  });

  test("need not be told the legal actions", async () => {
    const cells = ["c3", "b3", "a3", "c2", "b2", "a2", "c1"];
    const { all, result } = await play((_, count) => `ACTION: ${cells[count - 1]!}`, { actions: false });
    expect((await result).actions).toEqual([8, 7, 6, 5, 4, 3, 2]);
    expect(all.some(({ messages }) => messages.at(-1)!.content.includes("Legal actions"))).toBe(false);
  });
});

describe("a busy server", () => {
  test("is asked again after the time that it names", async () => {
    const soon = { "retry-after": "0.01" };
    const date = new Date(0).toUTCString();
    const { all, result } = await play((asked, count) => {
      if (count === 1) return status(429, { error: { message: "slow down" } }, soon);
      if (count === 2) return status(503, "", { date, "retry-after": date });
      return last(asked);
    });
    expect((await result).ending).toBe("finished");
    expect(all.length).toBe(9);
  });

  test("is asked again after a while if it names none, or closes the connection", async () => {
    const { all, result } = await play((asked, count) =>
      count === 1 ? (response) => response.destroy() : last(asked),
    );
    expect((await result).ending).toBe("finished");
    expect(all.length).toBe(8);
  });

  test("forfeits nothing: the run ends where there is no time to wait", async () => {
    const { result } = await play(() => status(429, { error: { message: `no more for ${KEY}` } }), {
      limitMs: 300,
    });
    const error: unknown = await result.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EndOfRun);
    expect((error as Error).message).toMatch(
      /chat\/completions gave no answer within \d+ ms: HTTP 429: no more for \[key\]; go on when it is there$/,
    );
  });
});

describe("a server that refuses", () => {
  test.each([
    [401, { error: { message: `wrong key: ${KEY}` } }, "HTTP 401: wrong key: [key]"],
    [404, "<html>not here", "HTTP 404: <html>not here"],
    [302, "", "HTTP 302"],
  ])("ends the run without showing the key: %d", async (code, body, words) => {
    const { all, result } = await play(() => status(code, body, { location: "http://127.0.0.1:1/" }));
    const error: unknown = await result.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EndOfRun);
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toContain(KEY);
    expect(all.length).toBe(1);
  });
});

describe("a server's answer that is none", () => {
  const half: Part = (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"choices": [{"mess');
    setTimeout(() => response.destroy(), 20);
  };
  const endless: Part = (response) => {
    const more = () => {
      while (response.writable && response.write("x".repeat(50_000)));
      response.once("drain", more);
    };
    more();
  };
  const cases: readonly [name: string, part: Part, words: string][] = [
    ["half an answer", half, "its server's answer ends after 19 bytes, in the middle"],
    ["an endless answer", endless, "its server's answer has more than 1000000 bytes"],
    ["no JSON", status(200, `<html>${KEY}</html>`), "its server's answer is no JSON: <html>[key]</html>"],
    ["no message", status(200, { choices: [] }), 'its server\'s answer has no message: {"choices":[]}'],
    ["an error", status(200, { error: { message: "oh" } }), "its server's answer has no message: oh"],
  ];

  test.each(cases)("is asked for again: %s", async (_, part) => {
    const { result } = await play((asked, count) => (count === 1 ? part : last(asked)), { retries: 1 });
    expect((await result).ending).toBe("finished");
  });

  test.each(cases)("forfeits in the end: %s", async (_, part, words) => {
    const { all, result } = await play(() => part, { retries: 1 });
    expect(await result).toMatchObject({ ending: "exception", forfeitSeat: 0, detail: words });
    expect(all.length).toBe(2);
  });

  test("forfeits by time-out if it is slow", async () => {
    const slow: Part = () => {};
    const once = await play((asked, count) => (count === 1 ? slow : last(asked)), { timeoutMs: 100 });
    expect((await once.result).ending).toBe("finished");
    const always = await play(() => slow, { timeoutMs: 50, retries: 1 });
    expect(await always.result).toMatchObject({
      ending: "time-out",
      detail: "its server gave no answer within 50 ms",
    });
    const limited = await play(() => slow, { limitMs: 100 });
    const { ending, detail } = await limited.result;
    expect({ ending, detail }).toMatchObject({ ending: "time-out" });
    expect(detail).toMatch(/^no action within \d+ ms$/);
  });
});

describe("the key", () => {
  test("must be in the environment", async () => {
    vi.stubEnv("CHAT_TEST_KEY", undefined);
    const game = createGame({ id: "tic-tac-toe" });
    const seat = await seatOf(game, {
      agent: "chat",
      url: "http://127.0.0.1:1/v1",
      model: "m",
      key: "CHAT_TEST_KEY",
    });
    await expect(playGame(game, [seat, seat])).rejects.toThrow(
      "key: not in the environment of agon: CHAT_TEST_KEY",
    );
  });

  test.each([
    ["the key itself", { key: "sk-1234" }, /^key: must be the name of a variable/],
    ["a password in the address", { url: "https://me:secret@example.com/v1" }, /^url: must have no password/],
  ])("cannot be in a config: %s", async (_, given, message) => {
    const game = createGame({ id: "tic-tac-toe" });
    const spec = { agent: "chat", url: "http://127.0.0.1:1/v1", model: "m", ...given };
    await expect(seatOf(game, spec)).rejects.toThrow(message);
  });
});

describe("what a model is told", () => {
  test.each(Object.keys(games))("has the rules of the game, without proofs and figures: %s", (id) => {
    const rules = rulesOf(id)!;
    expect(rules.length).toBeGreaterThan(150);
    expect(rules.length).toBeLessThan(6000);
    expect(rules).not.toMatch(/Proof|npx|\]\(|\.yaml/);
  });

  test("has the options of the game", () => {
    const game = createGame({ id: "nim", piles: [1, 2] });
    expect(introduce(game, { seat: 1, rules: undefined })).toContain("the game nim (piles [1,2]");
    expect(rulesOf("a game of the user's")).toBeUndefined();
  });

  const hidden = Object.keys(games).filter((id) => id !== "tree" && createGame({ id }).hiddenInformation);

  test.each(hidden)(
    "is its own sight in games of hidden information: all worlds make one question: %s",
    (id) => {
      const game = createGame({ id });
      const observed = new ObservedGame(game);
      const randoms = ["one", "other"].map((name) => createRandom("chat", name));
      const world = new Int32Array(observed.privacy.maxEvents);
      let differing = 0;
      for (let event = 0; event < 90 && observed.state.toMove !== TERMINAL; event++) {
        const { toMove } = observed.state;
        if (toMove !== CHANCE) {
          const worlds = observed.worlds(toMove);
          const drawn = randoms.map((random) => Array.from(world.subarray(0, worlds.draw(random, world))));
          const questions = drawn.map((actions) => {
            const state = game.start();
            for (const action of actions) state.apply(action);
            const codes = observed.codes[toMove]!.slice(0, observed.counts[toMove]);
            const turn = { played: () => ({ actions }), knowledge: { codes, worlds } } as unknown as Turn;
            return ask(game, state, { turn, lists: true });
          });
          expect(questions[0]).toEqual(questions[1]);
          expect(questions[0]!.text).toContain("Legal actions: ");
          if (drawn[0]!.join() !== drawn[1]!.join()) differing++;
        }
        observed.apply(anyAction(game, observed.state, randoms[0]!));
      }
      expect(differing).toBeGreaterThan(0);
    },
  );
});

/** A random action, or an outcome of chance. */
function anyAction(game: Game, state: State, random: Random): number {
  const out = new Int32Array(game.maxActions);
  if (state.toMove === CHANCE) return sampleChance(game, state, random);
  return out[random.below(state.legalActions(out, 0))]!;
}

describe("the action of an answer", () => {
  const game = createGame({ id: "breakthrough" });
  const state = game.start();
  const read = (words: string) => readAction(game, state, { words, isCut: false, lists: true });
  const some = game.parseAction("a7a6", state);

  test.each([
    "ACTION: a7a6",
    "action:a7a6",
    "Perhaps b7b6.\nACTION: b7b6\nNo:\n> **Action:** `a7a6`.",
    "  - ACTION : **a7a6**",
    "# ACTION: A7A6",
    "ACTION: (a7a6)\r\n\r\nThat is all.",
  ])("is that of its last line with ACTION: %j", (words) => {
    expect(read(words)).toEqual({ action: some });
  });

  test.each(["a7a6", "I play a7a6.", "REACTION: a7a6", "ACTION a7a6"])(
    "is none without such a line: %j",
    (words) => {
      expect(read(words)).toHaveProperty("fault");
    },
  );

  test.each(["ACTION: a7a6 or b7b6", "ACTION: a6a7", `ACTION: ${"*".repeat(900_000)}`])(
    "is none if it is not legal: %#",
    (words) => {
      expect(read(words)).toHaveProperty("fault", expect.stringContaining("not a legal action"));
    },
  );

  test("may end as other texts are dressed up", () => {
    const capture = game.parseState("8/8/1b6/w7/8/8/8/8 w");
    const words = "**ACTION: a5b6***";
    expect(readAction(game, capture, { words, isCut: false, lists: true })).toEqual({
      action: game.parseAction("a5b6*", capture),
    });
  });

  test("is any legal one of any game that it names", () => {
    for (const id of Object.keys(games).filter((name) => name !== "tree")) {
      const one = createGame({ id });
      const at = one.start();
      const random = createRandom("chat", id);
      for (let event = 0; event < 60 && at.toMove !== TERMINAL; event++) {
        const action = anyAction(one, at, random);
        if (at.toMove !== CHANCE) {
          const words = `Well.\n**ACTION: ${one.formatAction(action, at)}**`;
          expect([id, readAction(one, at, { words, isCut: false, lists: true })]).toEqual([id, { action }]);
        }
        at.apply(action);
      }
    }
  });
});
