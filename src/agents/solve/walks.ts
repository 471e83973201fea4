import { grown } from "../../base/hashing.ts";
import type { Random } from "../../base/random.ts";
import type { Game, State } from "../../games/contract/game.ts";
import { CHANCE } from "../../games/contract/rules.ts";
import type { Merging } from "../../games/contract/facets.ts";
import type { GameTree, InformationSet } from "./game-tree.ts";

/** A game that a sampler goes through, from the start to an end and back. */
export interface Walk {
  readonly players: number;
  /** The number of slots of actions so far. */
  readonly slots: number;
  /** Who decides here: a player, CHANCE or TERMINAL. */
  readonly toMove: number;
  /** Begins an iteration at the start of the game. */
  begin(): void;
  /** The information set here, where a player decides. */
  look(): InformationSet;
  /** Follows the action of that number, from 0, of the set that is here. */
  take(set: InformationSet, at: number): void;
  /** Follows an outcome by its probability, where chance decides. */
  chance(random: Random): void;
  back(): void;
  /** The player's return at an end. */
  returns(player: number): number;
}

/** A walk through a tree in memory. */
export class TreeWalk implements Walk {
  readonly players: number;
  readonly slots: number;
  private readonly tree: GameTree;
  private node = 0;
  private odds = new Float64Array(64);

  constructor(tree: GameTree) {
    this.tree = tree;
    this.players = tree.players;
    this.slots = tree.actionSlots;
  }

  get toMove(): number {
    return this.tree.toMove[this.node]!;
  }

  begin(): void {
    this.node = 0;
  }

  look(): InformationSet {
    return this.tree.sets[this.tree.set[this.node]!]!;
  }

  take(_set: InformationSet, at: number): void {
    this.node = this.child(at);
  }

  chance(random: Random): void {
    const { end, slot, chance, actionSlots } = this.tree;
    let count = 0;
    for (let child = this.node + 1; child < end[this.node]!; child = end[child]!) {
      this.odds = grown(this.odds, count + 1);
      this.odds[count++] = chance[slot[child]! - actionSlots]!;
    }
    this.node = this.child(random.weighted(this.odds, 0, count));
  }

  back(): void {
    this.node = this.tree.parent[this.node]!;
  }

  returns(player: number): number {
    return this.tree.returns[player]![this.node]!;
  }

  private child(at: number): number {
    let child = this.node + 1;
    for (let left = at; left > 0; left--) child = this.tree.end[child]!;
    return child;
  }
}

/**
 * A walk through the game's own states, for games whose tree fits into no memory. Information states with the same key of the
 * game's abstraction are one set. The chance events of an iteration are drawn once, whatever the players do.
 */
export class MergedWalk implements Walk {
  readonly players: number;
  readonly sets: InformationSet[] = [];
  slots = 0;
  private readonly state: State;
  private readonly merging: Merging;
  private readonly known = new Map<string, InformationSet>();
  private readonly out: Int32Array;
  private readonly odds: Float64Array;
  /** The outcomes of this iteration, by the number of the chance event. */
  private readonly drawn: number[] = [];
  private events = 0;

  /** @param sets the sets that are known already, in the order of their slots */
  constructor(game: Game, merging: Merging, sets: readonly Omit<InformationSet, "from">[]) {
    this.players = game.players;
    this.state = game.start();
    this.merging = merging;
    this.out = new Int32Array(game.maxActions);
    this.odds = new Float64Array(game.maxActions);
    for (const { player, key, actions } of sets) this.add(player, key, actions);
  }

  get toMove(): number {
    return this.state.toMove;
  }

  begin(): void {
    this.drawn.length = 0;
  }

  look(): InformationSet {
    const { state, out } = this;
    const player = state.toMove;
    const key = this.merging.keyOf(state);
    const known = this.known.get(`${player}: ${key}`);
    if (known !== undefined) return known;
    return this.add(player, key, Array.from(out.subarray(0, state.legalActions(out, 0))));
  }

  take({ actions }: InformationSet, at: number): void {
    this.state.apply(actions[at]!);
  }

  chance(random: Random): void {
    const { state, out, odds } = this;
    const draw = () => out[random.weighted(odds, 0, state.chanceOutcomes!(out, odds, 0))]!;
    state.apply((this.drawn[this.events++] ??= draw()));
  }

  back(): void {
    this.state.undo();
    if (this.state.toMove === CHANCE) this.events--;
  }

  returns(player: number): number {
    return this.state.returns(player);
  }

  private add(player: number, key: string, actions: readonly number[]): InformationSet {
    const set = { player, key, actions, from: this.slots };
    this.slots += actions.length;
    this.sets.push(set);
    this.known.set(`${player}: ${key}`, set);
    return set;
  }
}
