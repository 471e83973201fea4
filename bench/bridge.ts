import process from "node:process";
import type { AgentSpec, Turn } from "../src/agents/agent.ts";
import { createRandom } from "../src/base/random.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { ObservedGame } from "../src/games/contract/privacy.ts";
import { CHANCE, TERMINAL, varyGame } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { meanInterval } from "../src/ratings/mean-return.ts";
import { loadAgent } from "../src/specs/agents.ts";

/*
 * Agents at bridge play, with an upper anchor: npm run bench -- bridge [DEALS [CARDS]]. Each agent declares against each other one,
 * which defends in both seats, and all play the same deals. The cheat sees all hands. It is here alone: in a tournament no
 * agent gets the position of a game that hides something.
 */
const [, , deals = "300", cards = "6"] = process.argv;
const game = createGame({ id: "bridge", cards: Number(cards) });
const open = varyGame(game, { hiddenInformation: false, chance: false });
const openSolver = { agent: "greedy", evaluator: "double-dummy" };
const AGENTS: Readonly<Record<string, AgentSpec>> = {
  cheat: openSolver,
  "double-dummy": { agent: "determinized", worlds: 20, vote: "mean", search: openSolver },
  ismcts: { agent: "ismcts", simulations: 500 },
  uct: { agent: "determinized", worlds: 10, search: { agent: "mcts", simulations: 50 } },
  random: { agent: "random" },
};
const names = Object.keys(AGENTS);
const players = await Promise.all(
  Object.entries(AGENTS).map(([name, spec]) => loadAgent(name === "cheat" ? open : game, spec)),
);
const times = names.map(() => ({ ms: 0, decisions: 0 }));

/** The lead in tricks of the first agent, which declares, over the second, which defends. */
async function play(deal: number, [declarer, defender]: readonly [number, number]): Promise<number> {
  const observed = new ObservedGame(game);
  const chance = createRandom("bridge", deal);
  const world = new Int32Array(observed.privacy.maxEvents);
  const seated = [declarer, defender, defender].map((index, seat) => ({
    index,
    agent: players[index]!.create(),
    random: createRandom("bridge", deal, declarer, defender, seat),
  }));
  const { state } = observed;
  while (state.toMove !== TERMINAL) {
    if (state.toMove === CHANCE) {
      const outcomes = new Int32Array(4);
      const odds = new Float64Array(4);
      const count = state.chanceOutcomes!(outcomes, odds, 0);
      observed.apply(outcomes[chance.weighted(odds, 0, count)]!);
      continue;
    }
    const legal = possibleActions(game, state);
    const { index, agent, random } = seated[state.toMove]!;
    if (legal.length === 1) {
      observed.apply(legal[0]!);
      continue;
    }
    const view = game.start();
    const turn: Turn = { random, budget: players[index]!.budget, clock: () => performance.now() };
    const begun = performance.now();
    let action: number;
    if (names[index] === "cheat") {
      view.copyFrom(state);
      ({ action } = await agent.choose(view, turn));
    } else {
      const player = state.toMove;
      const worlds = observed.worlds(player);
      const length = worlds.draw(random, world);
      for (let at = 0; at < length; at++) view.apply(world[at]!);
      const codes = observed.codes[player]!.slice(0, observed.counts[player]);
      ({ action } = await agent.choose(view, { ...turn, knowledge: { codes, worlds } }));
    }
    times[index]!.ms += performance.now() - begun;
    times[index]!.decisions++;
    observed.apply(action);
  }
  return state.returns(0);
}

// [entrant]: by deal, the mean lead as declarer, as defenders, and their mean.
const leads = names.map(() => ({ declares: [] as number[], defends: [] as number[], both: [] as number[] }));
for (let deal = 0; deal < Number(deals); deal++) {
  const declares = names.map(() => 0);
  const defends = names.map(() => 0);
  for (const declarer of names.keys())
    for (const defender of names.keys()) {
      if (declarer === defender) continue;
      const lead = (await play(deal, [declarer, defender])) / (names.length - 1);
      declares[declarer]! += lead;
      defends[defender]! -= lead;
    }
  for (const [index, lead] of leads.entries()) {
    lead.declares.push(declares[index]!);
    lead.defends.push(defends[index]!);
    lead.both.push((declares[index]! + defends[index]!) / 2);
  }
}
console.log(`${deals} deals of ${cards} cards a hand: tricks more than the others, with intervals of 95%`);
for (const [index, lead] of leads.entries()) {
  const figures = Object.entries(lead).map(([part, values]) => {
    const { mean, margin } = meanInterval(values);
    return `${part} ${mean.toFixed(2)} +/- ${margin?.toFixed(2) ?? "-"}`;
  });
  const { ms, decisions } = times[index]!;
  console.log(
    `${names[index]!.padEnd(14)} ${figures.join(", ")}, ${(ms / decisions).toFixed(1)} ms a decision`,
  );
}
