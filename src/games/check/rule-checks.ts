import { CHANCE, TERMINAL, type State } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import { fail, type Check } from "./finding.ts";
import {
  copyOf,
  difference,
  hashOf,
  isOver,
  nameAction,
  observe,
  replay,
  returnsOf,
  text,
  type GameTrial,
} from "./game-trial.ts";

/** The greatest error allowed in a sum of probabilities or returns. */
const ROUNDING = 5e-13;
/** The number of replies that are tried after each action, and of actions that are tried on copies. */
const REPLIES = 3;
/** A game with more actions and chance outcomes than this counts as endless, whatever it declares. */
const ENDLESS = 100_000;

/** The checks of `State`; they rely on the traits, which are checked first. */
export const ruleChecks: readonly Check<GameTrial>[] = [
  {
    name: "to-move",
    demand: "toMove is a player from 0 to players - 1, CHANCE (-1) or TERMINAL (-2)",
    run(trial) {
      const { players } = trial.game;
      trial.forEachPosition("to-move", 1, (state) => {
        const { toMove } = state;
        if (toMove === CHANCE && state.chanceOutcomes === undefined)
          fail("toMove is CHANCE in a state without chanceOutcomes");
        if (!Number.isInteger(toMove) || toMove < TERMINAL || toMove >= players)
          fail(`toMove is ${text(toMove)} in a game with players = ${players}`);
      });
    },
  },
  {
    name: "legal-actions",
    demand:
      "legalActions and chanceOutcomes write int32, ascending and distinct, at least one and at most maxActions, " +
      "and return how many",
    run: checkActions,
  },
  {
    name: "action-buffer",
    demand: "legalActions and chanceOutcomes write from out[at] on, and nowhere else",
    run: checkBuffer,
  },
  {
    name: "looking",
    demand: "only apply, undo and copyFrom change a state",
    run(trial) {
      const { game } = trial;
      trial.forEachPosition("looking", 1 / 6, (state) => {
        const first = observe(game, state);
        const changed = difference(observe(game, state), first, "at the first look it was");
        if (changed !== undefined) fail(`a state changes by being looked at: ${changed}`);
      });
    },
  },
  { name: "undo", demand: "undo restores everything that apply changed", run: checkUndo },
  {
    name: "take-back",
    demand: "undo takes back a whole game, to the start",
    run(trial) {
      const { game } = trial;
      for (let number = 0; number < trial.games; number++) {
        const state = trial.playGame("take-back", number, () => {});
        const plies = trial.actions().length;
        for (let ply = 0; ply < plies; ply++) state.undo();
        const wrong = difference(observe(game, state), observe(game, game.start()), "at a new start it is");
        if (wrong !== undefined) fail(`after all ${plies} actions are taken back, ${wrong}`);
      }
    },
  },
  {
    name: "copy",
    demand: "copyFrom makes the same position, and neither state changes the other afterwards",
    run: checkCopies,
  },
  {
    name: "hash-replay",
    demand: "the hash is two int32, and the same whenever the same actions were played",
    run(trial) {
      trial.forEachPosition("hash-replay", 1 / 6, (state) => {
        for (const [name, half] of [
          ["hashLow", state.hashLow],
          ["hashHigh", state.hashHigh],
        ] as const)
          if (half !== (half | 0)) fail(`${name} is ${text(half)}, which is no int32`);
        const again = hashOf(replay(trial.game, trial.actions()));
        if (again !== hashOf(state))
          fail(`the hash is ${hashOf(state)}; after the same actions on a new state it is ${again}`);
      });
    },
  },
  {
    name: "hash-equal",
    demand: "equal positions have equal hashes, however they were reached",
    run: checkEqualHashes,
  },
  {
    name: "hash-different",
    demand: "positions whose futures differ have different hashes",
    run: checkDifferentHashes,
  },
  {
    name: "returns",
    demand:
      "returns are numbers from minReturn to maxReturn; they sum to 0 if zeroSum is declared, are equal within a team, and are 0 " +
      "before the end unless rewardsAlongTheWay is declared",
    run: checkReturns,
  },
  {
    name: "chance",
    demand:
      "chance moves only where the game declares it, in a game that declares dealt only before the first decision; " +
      "probabilities are positive and sum to 1",
    run: checkChance,
  },
  {
    name: "end",
    demand: "every game ends after at most maxPlies decisions by players (chance is no decision)",
    run: checkEnd,
  },
];

function checkActions(trial: GameTrial): void {
  const { game } = trial;
  // float64, because an Int32Array would turn a wrong value into an int32.
  const wide = new Float64Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  trial.forEachPosition("legal-actions", 1, (state) => {
    if (isOver(state)) return;
    const out = wide as unknown as Int32Array;
    const chance = state.toMove === CHANCE;
    const method = chance ? "chanceOutcomes" : "legalActions";
    const count = chance ? state.chanceOutcomes!(out, probabilities, 0) : state.legalActions(out, 0);
    if (!Number.isInteger(count) || count < 1 || count > game.maxActions)
      fail(`${method} returns ${text(count)}; from 1 to maxActions = ${game.maxActions} is allowed`);
    for (let at = 0; at < count; at++) {
      const action = wide[at]!;
      if (action !== (action | 0)) fail(`${method} writes ${action}, which is no int32`);
      if (at > 0 && action === wide[at - 1]) fail(`${method} writes ${action} twice`);
      if (at > 0 && action < wide[at - 1]!)
        fail(`${method} writes ${action} after ${wide[at - 1]}: not ascending`);
    }
  });
}

function checkBuffer(trial: GameTrial): void {
  const { game } = trial;
  const AT = 5;
  // No action is this number, which is no int32.
  const UNTOUCHED = -77.5;
  const wide = new Float64Array(game.maxActions + 2 * AT);
  const weights = new Float64Array(wide.length);
  trial.forEachPosition("action-buffer", 1 / 6, (state) => {
    if (isOver(state)) return;
    const expected = possibleActions(game, state);
    const out = wide as unknown as Int32Array;
    wide.fill(UNTOUCHED);
    weights.fill(UNTOUCHED);
    const chance = state.toMove === CHANCE;
    const method = chance ? "chanceOutcomes" : "legalActions";
    const count = chance ? state.chanceOutcomes!(out, weights, AT) : state.legalActions(out, AT);
    const written = [...wide.subarray(AT, AT + count)];
    if (written.join() !== expected.join())
      fail(`${method} with at = ${AT} writes ${text(written)}; with at = 0 it wrote ${text([...expected])}`);
    const arrays = chance ? ([wide, weights] as const) : ([wide] as const);
    for (const array of arrays) {
      const spilt = array.findIndex(
        (value, index) => (index < AT || index >= AT + count) && value !== UNTOUCHED,
      );
      if (spilt >= 0)
        fail(`${method} with at = ${AT} has ${count} actions, and writes to index ${spilt} of its array`);
    }
  });
}

function checkUndo(trial: GameTrial): void {
  const { game } = trial;
  trial.forEachPosition("undo", 1 / 3, (state) => {
    const before = observe(game, state);
    for (const action of before.actions) {
      trial.apply(state, action);
      for (const reply of possibleActions(game, state).slice(0, REPLIES)) {
        trial.apply(state, reply);
        trial.undo(state);
      }
      trial.undo(state);
    }
    const wrong = difference(observe(game, state), before, "before it was");
    if (wrong === undefined) return;
    findBadUndo(trial);
    fail(`undo does not restore the position: after every action and its replies were taken back, ${wrong}`);
  });
}

/** Tries the actions, and the replies to each, one at a time; calls `fail` with the first whose undo goes wrong. */
function findBadUndo(trial: GameTrial): void {
  const { game } = trial;
  const tryUndo = (state: State, action: number, before = observe(game, state)) => {
    const name = nameAction(game, action, state);
    state.apply(action);
    state.undo();
    const wrong = difference(observe(game, state), before, "before it was");
    if (wrong !== undefined) fail(`undo does not restore the position: after "${name}" and undo, ${wrong}`);
  };
  const path = trial.actions();
  const actions = possibleActions(game, replay(game, path));
  for (const action of actions) tryUndo(replay(game, path), action);
  for (const action of actions) {
    const state = replay(game, path);
    trial.apply(state, action);
    const before = observe(game, state);
    for (const reply of before.actions.slice(0, REPLIES)) tryUndo(state, reply, before);
    trial.locate(path);
  }
}

function checkCopies(trial: GameTrial): void {
  const { game } = trial;
  // Searches copy to one state again and again: nothing of the old position may stay in it.
  const used = game.start();
  trial.forEachPosition("copy", 1 / 3, (state) => {
    const before = observe(game, state);
    const copy = copyOf(game, state);
    used.copyFrom(state);
    for (const [name, one] of [
      ["a copy", copy],
      ["a copy to a state that was used before", used],
    ] as const) {
      const wrong = difference(observe(game, one), before, "in the original it is");
      if (wrong !== undefined) fail(`${name} is not the same position: ${wrong}`);
    }
    for (const action of before.actions.slice(0, REPLIES)) {
      const name = nameAction(game, action, state);
      copy.copyFrom(used);
      trial.apply(copy, action);
      const after = observe(game, copy);
      const original = difference(observe(game, state), before, "before it was");
      if (original !== undefined) fail(`when a copy plays "${name}", the original changes: ${original}`);
      trial.undo(copy);
      const taken = difference(observe(game, copy), before, "before it was");
      if (taken !== undefined) fail(`a copy that plays "${name}" and takes it back differs: ${taken}`);
      trial.apply(state, action);
      const wrong = difference(after, observe(game, state), "in the original it is");
      if (wrong !== undefined) fail(`after "${name}" a copy differs from the original: ${wrong}`);
      trial.undo(state);
    }
    const wrong = difference(observe(game, used), before, "before it was");
    if (wrong !== undefined) fail(`when a state plays, another that was copied to it changes: ${wrong}`);
  });
}

/**
 * Compares the hashes of positions that are reached in two ways: in different games, or by three plies of which the
 * first and the third are exchanged.
 */
function checkEqualHashes(trial: GameTrial): void {
  const { game } = trial;
  const hashes = new Map<string, string>();
  const compare = (state: State) => {
    const name = game.formatState(state);
    const hash = hashOf(state);
    const known = hashes.get(name);
    if (known !== undefined && known !== hash)
      fail(`the position "${name}" has the hash ${hash}; reached in another way it had ${known}`);
    hashes.set(name, hash);
  };
  trial.forEachPosition("hash-equal", 1 / 3, (state) => {
    compare(state);
    exchangeActions(trial, copyOf(game, state), compare);
  });
}

/**
 * Calls `visit` with the position after actions a, b, c and the position after c, b, a, for a few choices of them.
 */
function exchangeActions(trial: GameTrial, state: State, visit: (state: State) => void): void {
  const { game } = trial;
  const [first, ...others] = possibleActions(game, state);
  if (first === undefined) return;
  for (const third of others.slice(-REPLIES)) {
    for (const order of [
      [first, third],
      [third, first],
    ] as const) {
      const path = trial.actions();
      const copy = copyOf(game, state);
      trial.apply(copy, order[0]);
      const reply = possibleActions(game, copy).find((action) => action !== first && action !== third);
      if (reply !== undefined) {
        trial.apply(copy, reply);
        if (possibleActions(game, copy).includes(order[1])) {
          trial.apply(copy, order[1]);
          visit(copy);
        }
      }
      trial.locate(path);
    }
  }
}

function checkDifferentHashes(trial: GameTrial): void {
  const { game } = trial;
  const boards = new Map<string, string>();
  trial.forEachPosition("hash-different", 1, (state) => {
    // A board may show the rewards collected so far, which are no part of the position. So it is not compared.
    const board = game.rewardsAlongTheWay
      ? `player ${state.toMove} with the actions ${possibleActions(game, state).join(" ")}`
      : game.render(state);
    const hash = hashOf(state);
    const known = boards.get(hash);
    if (known !== undefined && known !== board)
      fail(`two positions have the hash ${hash}:\n${indent(known)}\nand\n${indent(board)}\n `);
    boards.set(hash, board);
  });
}

function indent(lines: string): string {
  return lines.replaceAll(/^/gm, "    ");
}

function checkReturns(trial: GameTrial): void {
  const { game } = trial;
  const { minReturn, maxReturn, rewardsAlongTheWay, zeroSum, teams } = game;
  trial.forEachPosition("returns", 1, (state) => {
    const returns = returnsOf(game, state);
    for (const [player, value] of returns.entries()) {
      // Written so that NaN and undefined fail.
      if (!(value >= minReturn && value <= maxReturn))
        fail(`returns(${player}) is ${text(value)}; from ${minReturn} to ${maxReturn} is declared`);
      if (!rewardsAlongTheWay && !isOver(state) && value !== 0)
        fail(`returns(${player}) is ${text(value)} before the end, and rewardsAlongTheWay is false`);
    }
    const sum = returns.reduce((total, value) => total + value, 0);
    if (zeroSum && Math.abs(sum) > ROUNDING)
      fail(`the returns ${text(returns)} sum to ${sum}, and zeroSum is true`);
    if (teams?.some((team, player) => returns[player] !== returns[teams.indexOf(team)]) === true)
      fail(`the returns ${text(returns)} differ within a team; teams is ${text(teams)}`);
  });
}

function checkChance(trial: GameTrial): void {
  const { game } = trial;
  const out = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  trial.forEachPosition("chance", 1, (state) => {
    if (state.toMove !== CHANCE) return;
    if (!game.chance) fail("toMove is CHANCE in a game that declares chance: false");
    if (game.dealt && hasDecided(trial))
      fail("toMove is CHANCE after a decision in a game that declares dealt");
    probabilities.fill(Number.NaN);
    const count = state.chanceOutcomes!(out, probabilities, 0);
    let sum = 0;
    for (let at = 0; at < count; at++) {
      const probability = probabilities[at]!;
      sum += probability;
      if (!(probability > 0))
        fail(`the outcome "${nameAction(game, out[at]!, state)}" has the probability ${text(probability)}`);
    }
    if (!(Math.abs(sum - 1) <= ROUNDING)) fail(`the probabilities of the ${count} outcomes sum to ${sum}`);
  });
}

/** True if a player has decided in the game so far. */
function hasDecided(trial: GameTrial): boolean {
  const state = trial.game.start();
  return trial.actions().some((action) => {
    const isDecision = state.toMove !== CHANCE;
    state.apply(action);
    return isDecision;
  });
}

function checkEnd(trial: GameTrial): void {
  const { game } = trial;
  for (let number = 0; number < trial.games; number++) {
    let decisions = 0;
    let steps = 0;
    const visit = (state: State) => {
      if (decisions > game.maxPlies)
        fail(`a random game has had ${decisions} decisions by players; maxPlies is ${game.maxPlies}`);
      if (steps > ENDLESS && !isOver(state))
        fail(`a random game is not over after ${ENDLESS} actions and chance outcomes: is it endless?`);
      steps++;
      if (state.toMove >= 0) decisions++;
    };
    trial.playGame("end", number, visit, { longest: Infinity });
  }
}
