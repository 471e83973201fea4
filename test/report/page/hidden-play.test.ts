import { afterEach, describe, expect, test, vi } from "vitest";
import { Caller, type Call, type Reply } from "../../../src/base/caller.ts";
import type { AgentSpec } from "../../../src/agents/agent.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { parseAgentSpec } from "../../../src/specs/agents.ts";
import type { Kind, Question, Questions, Setup } from "../../../src/report/page/play/messages.ts";
import { hiddenGames, twins } from "../../support/twins.ts";
import { slowTest } from "../../support/thorough.ts";

/** The types of browsers are not those of tests. */
const THREAD = new URL("../../../src/report/page/play/play-thread.ts", import.meta.url).href;
const { startPlayThread } = (await import(THREAD)) as { startPlayThread: () => void };

/** A thread of the page with these agents; asks it, and gives the answer. */
function startThread(game: Game, agents: readonly string[]) {
  let hear: (event: { data: Setup | Call<Question> }) => void = () => {};
  const caller = new Caller<Question, unknown>((call) => hear({ data: call }));
  vi.stubGlobal("addEventListener", (_: string, listener: typeof hear) => (hear = listener));
  vi.stubGlobal("postMessage", (text: string) => caller.hear(JSON.parse(text) as Reply<unknown>));
  startPlayThread();
  const entrants = agents.map((text) => ({ name: text, spec: parseAgentSpec(text) as AgentSpec }));
  hear({ data: { game: { id: game.id, ...game.options }, entrants, weights: {} } });
  return async <K extends Kind>(kind: K, asked: Questions[K]["asked"]): Promise<unknown> =>
    caller.ask({ kind, ...asked } as Question);
}

afterEach(() => vi.unstubAllGlobals());

describe.each(hiddenGames)("a person in the page at %s", (_, game) => {
  slowTest("gets the same positions, hints and analyses in all games with the same codes", async () => {
    const ask = startThread(game, [
      "ismcts:simulations=20",
      "determinized:worlds=2,search.agent=mcts,search.simulations=5",
    ]);
    for (const { player, truth, twin } of twins(game, 12)) {
      const answers = [truth, twin].map(async (actions) => {
        const played = { actions };
        return [
          await ask("position", { played, viewer: player }),
          await ask("decision", { played, entrant: 0, seed: "seed" }),
          await ask("analysis", { played, entrant: 0, step: 0 }),
          await ask("analysis", { played, entrant: 1, step: 0 }),
        ];
      });
      const [one, other] = await Promise.all(answers);
      expect(other).toEqual(one);
      expect(one![0]).toMatchObject({ moves: [], notation: "", toMove: player });
    }
  });

  test("sees all when the game is over, and no moves of its own on others' turns", async () => {
    const ask = startThread(game, []);
    const state = game.start();
    const actions: number[] = [];
    const out = new Int32Array(game.maxActions);
    while (state.toMove !== -2) {
      const isOwn = state.toMove === 0;
      const position = await ask("position", { played: { actions }, viewer: 0 });
      expect(position).toMatchObject({ moves: [], notation: "", turn: "the others play" });
      expect((position as { choices: object[] }).choices.length > 0).toBe(isOwn);
      if (state.toMove === -1) state.chanceOutcomes!(out, new Float64Array(out.length), 0);
      else state.legalActions(out, 0);
      actions.push(out[0]!);
      state.apply(out[0]!);
    }
    expect(await ask("position", { played: { actions }, viewer: 0 })).toMatchObject({
      notation: game.formatState(state),
      moves: actions.map(() => ({ text: expect.any(String) })),
    });
  });
});
