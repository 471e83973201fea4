import { grown } from "../../base/hashing.ts";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../../games/contract/game.ts";
import { ObservedGame } from "../../games/contract/privacy.ts";
import { CHANCE, TERMINAL } from "../../games/contract/rules.ts";
import type { Agent } from "../agent.ts";

/** The most nodes of a tree. Each takes about 40 bytes. */
const MOST_NODES = 20_000_000;

/** A decision of a player as it sees it: all nodes at which the player knows the same. */
export interface InformationSet {
  readonly player: number;
  /** The player's codes, with blanks between them. */
  readonly key: string;
  /** Legal actions, ascending. */
  readonly actions: readonly number[];
  /** The place of its first action in the arrays that have a number for each action of each information set. */
  readonly from: number;
}

/**
 * A whole game with hidden information, in flat arrays. Nodes are numbered in depth-first order, so each comes after its
 * parent, and the first child of a node follows it.
 *
 * Edges have slots: those of an information set's actions are shared by all its nodes, and come first; each outcome of a
 * chance node has a slot of its own after them. So one array of probabilities by slot tells how likely every edge is.
 */
export interface GameTree {
  readonly players: number;
  readonly sets: readonly InformationSet[];
  /** Slots of players' actions. */
  readonly actionSlots: number;
  /** The probabilities of chance outcomes, in the order of their slots, which begin at `actionSlots`. */
  readonly chance: Float64Array;
  /** By node: its parent; -1 for the root. */
  readonly parent: Int32Array;
  /** By node: the slot of the edge to it; -1 for the root. */
  readonly slot: Int32Array;
  /** By node: the player to move, CHANCE or TERMINAL. */
  readonly toMove: Int8Array;
  /** By node: its information set; -1 where no player is to move. */
  readonly set: Int32Array;
  /** By node: the number of the first node after those below it. */
  readonly end: Int32Array;
  /** By player and node: the player's return at an end; 0 elsewhere. */
  readonly returns: readonly Float64Array[];
}

/** The nodes of a tree by kind. */
export interface TreeSize {
  readonly chance: number;
  readonly decisions: number;
  readonly ends: number;
  /** By player: its information sets. */
  readonly sets: readonly number[];
}

const FIRST_LENGTH = 1024;

/** Numbers in a typed array that grows. */
class Growing<T extends Int32Array | Float64Array | Int8Array> {
  private values: T;
  length = 0;

  constructor(values: T) {
    this.values = values;
  }

  push(value: number): number {
    if (this.length === this.values.length) this.values = grown(this.values);
    this.values[this.length] = value;
    return this.length++;
  }

  set(at: number, value: number): void {
    this.values[at] = value;
  }

  done(): T {
    return this.values.slice(0, this.length) as T;
  }
}

/**
 * Enumerates a game from its start. Throws InputError if it has no hidden information, or more than `most` nodes.
 * @param most nodes [20,000,000]
 */
export function buildGameTree(game: Game, most: number = MOST_NODES): GameTree {
  if (!game.hiddenInformation)
    throw new InputError(
      `${game.id} has no hidden information: agents that search play it, and agon solve is for games that have`,
    );
  const observed = new ObservedGame(game);
  const { state } = observed;
  const int32 = () => new Growing(new Int32Array(FIRST_LENGTH));
  const float64 = () => new Growing(new Float64Array(FIRST_LENGTH));
  const [parent, slot, set, end] = [int32(), int32(), int32(), int32()];
  const toMove = new Growing(new Int8Array(FIRST_LENGTH));
  const chance = float64();
  const returns = Array.from({ length: game.players }, float64);
  const sets: InformationSet[] = [];
  /** By player: the numbers of its information sets, by key. */
  const known = Array.from({ length: game.players }, () => new Map<string, number>());
  let actionSlots = 0;

  const setOf = (player: number, actions: readonly number[]): number => {
    const key = observed.key(player);
    const before = known[player]!.get(key);
    if (before !== undefined) {
      if (sets[before]!.actions.join(" ") !== actions.join(" "))
        throw new RangeError(
          `${game.id}: player ${player + 1} may play ${sets[before]!.actions.join(", ")} and, after the same codes, ${actions.join(", ")}`,
        );
      return before;
    }
    known[player]!.set(key, sets.length);
    sets.push({ player, key, actions, from: actionSlots });
    actionSlots += actions.length;
    return sets.length - 1;
  };

  const visit = (from: number, edge: number): void => {
    if (parent.length >= most)
      throw new InputError(
        `${game.id} has more than ${most.toLocaleString("en")} positions: take options that make it smaller`,
      );
    const mover = state.toMove;
    const node = parent.push(from);
    slot.push(edge);
    toMove.push(mover);
    end.push(0);
    for (const [player, own] of returns.entries()) own.push(mover === TERMINAL ? state.returns(player) : 0);
    if (mover === TERMINAL) set.push(-1);
    else if (mover === CHANCE) {
      set.push(-1);
      const outcomes = new Int32Array(game.maxActions);
      const probabilities = new Float64Array(game.maxActions);
      const count = state.chanceOutcomes!(outcomes, probabilities, 0);
      for (let at = 0; at < count; at++) follow(node, outcomes[at]!, ~chance.push(probabilities[at]!));
    } else {
      const buffer = new Int32Array(game.maxActions);
      const actions = [...buffer.subarray(0, state.legalActions(buffer, 0))].toSorted((a, b) => a - b);
      const own = setOf(mover, actions);
      set.push(own);
      const { from: first } = sets[own]!;
      for (const [at, action] of actions.entries()) follow(node, action, first + at);
    }
    end.set(node, parent.length);
  };
  const follow = (node: number, action: number, edge: number): void => {
    observed.apply(action);
    visit(node, edge);
    observed.undo();
  };
  visit(-1, -1);

  const slots = slot.done();
  // The slots of chance outcomes are known once those of actions are all there. The root has none.
  for (let node = 1; node < slots.length; node++)
    if (slots[node]! < 0) slots[node] = actionSlots + ~slots[node]!;
  return {
    players: game.players,
    sets,
    actionSlots,
    chance: chance.done(),
    parent: parent.done(),
    slot: slots,
    toMove: toMove.done(),
    set: set.done(),
    end: end.done(),
    returns: returns.map((own) => own.done()),
  };
}

/** Counts the nodes of a tree by kind, and the information sets. */
export function sizeOf({ toMove, sets, players }: GameTree): TreeSize {
  let [chance, ends] = [0, 0];
  for (const mover of toMove) {
    if (mover === CHANCE) chance++;
    else if (mover === TERMINAL) ends++;
  }
  return {
    chance,
    ends,
    decisions: toMove.length - chance - ends,
    sets: Array.from({ length: players }, (_, player) => sets.filter((set) => set.player === player).length),
  };
}

/** Probabilities by slot: uniform ones for players' actions, and those of chance. */
export function uniformPolicy({ sets, actionSlots, chance }: GameTree): Float64Array {
  const policy = new Float64Array(actionSlots + chance.length);
  for (const { from, actions } of sets) policy.fill(1 / actions.length, from, from + actions.length);
  policy.set(chance, actionSlots);
  return policy;
}

/**
 * The policy of an agent: the probability of every edge, by slot. The agent is asked at the first node of each information
 * set.
 * @param weigh tells the agent's probabilities from what the player to move knows
 */
export function tabulate(
  game: Game,
  tree: GameTree,
  weigh: (...of: Parameters<NonNullable<Agent["weigh"]>>) => void,
): Float64Array {
  const { sets, set, parent, slot, end, toMove, actionSlots } = tree;
  const policy = uniformPolicy(tree);
  const observed = new ObservedGame(game);
  const { state } = observed;
  const outcomes = new Int32Array(game.maxActions);
  const ignored = new Float64Array(game.maxActions);
  const asked = new Uint8Array(sets.length);
  for (let node = 0; node < set.length; node++) {
    const own = set[node]!;
    if (own < 0 || asked[own] === 1) continue;
    asked[own] = 1;
    const path: number[] = [];
    for (let at = node; at > 0; at = parent[at]!) path.push(at);
    observed.restart();
    for (const to of path.reverse()) {
      const from = parent[to]!;
      if (toMove[from] === CHANCE) {
        state.chanceOutcomes!(outcomes, ignored, 0);
        let outcome = 0;
        for (let child = from + 1; child < to; child = end[child]!) outcome++;
        observed.apply(outcomes[outcome]!);
      } else {
        const { from: first, actions } = sets[set[from]!]!;
        observed.apply(actions[slot[to]! - first]!);
      }
    }
    const { player, actions, from } = sets[own]!;
    const codes = observed.codes[player]!.slice(0, observed.counts[player]);
    weigh(state, Int32Array.from(actions), policy.subarray(from, actionSlots), 0, actions.length, codes);
  }
  return policy;
}
