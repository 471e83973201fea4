import { CHANCE, type Game, type State } from "../../games/contract/game.ts";
import { UNEXPANDED, type SimulationTree } from "./tree.ts";

/** A set of players is an int32 with a bit for each. */
const MOST_PLAYERS = 30;

/**
 * Proven results in a tree (MCTS-Solver; Winands, Bjornsson and Saito 2008): the players who get the highest return of
 * the game, and those who get the lowest, if each player takes a win that is there. A result that holds after every
 * action or outcome holds before them. With two players these are wins and losses; with several a win of one player
 * need not settle the others' results (Nijssen and Winands 2010).
 */
export class Proofs {
  /** By node: the set of players who are proven to get the highest return, and the lowest. */
  readonly wins: Int32Array;
  readonly losses: Int32Array;
  private readonly game: Game;
  private readonly tree: SimulationTree;
  private readonly everyone: number;
  /** True if a highest return of one player leaves the lowest to all others. */
  private readonly winTakesAll: boolean;

  constructor(game: Game, tree: SimulationTree) {
    this.game = game;
    this.tree = tree;
    this.wins = tree.column(Int32Array);
    this.losses = tree.column(Int32Array);
    this.everyone = (1 << game.players) - 1;
    this.winTakesAll = game.zeroSum && game.maxReturn === (1 - game.players) * game.minReturn;
  }

  /** True if results can be proven; rewards along the way seldom add up to an end of the range. */
  static fit({ players, rewardsAlongTheWay }: Game): boolean {
    return players <= MOST_PLAYERS && !rewardsAlongTheWay;
  }

  /** True if the result of every player is proven. */
  isSettled(node: number): boolean {
    return (this.wins[node] | this.losses[node]) === this.everyone;
  }

  isWin(node: number, player: number): boolean {
    return (this.wins[node] & (1 << player)) !== 0;
  }

  isLoss(node: number, player: number): boolean {
    return (this.losses[node] & (1 << player)) !== 0;
  }

  /** Proves the results of a finished game for `node`; returns whether they are new. */
  settle(node: number, ended: State): boolean {
    const { wins, losses } = this;
    const { players, minReturn, maxReturn } = this.game;
    const known = wins[node] | losses[node];
    for (let player = 0; player < players; player++) {
      const value = ended.returns(player);
      if (value >= maxReturn) wins[node] |= 1 << player;
      else if (value <= minReturn) losses[node] |= 1 << player;
    }
    return (wins[node] | losses[node]) !== known;
  }

  /** Writes the reward of each player, 0 or 1, where all results are proven. */
  collect(node: number, rewards: Float64Array): void {
    for (let player = 0; player < rewards.length; player++) rewards[player] = (this.wins[node] >> player) & 1;
  }

  /**
   * Derives the proven results of `node` after its child has a new one; `mover` decides there, or CHANCE. Returns
   * whether one of them is new.
   */
  derive(node: number, child: number, mover: number): boolean {
    const { wins, losses } = this;
    let won = wins[node] | this.common(wins, node);
    let lost = losses[node] | this.common(losses, node);
    if (mover !== CHANCE && this.isWin(child, mover)) {
      won |= 1 << mover;
      if (this.winTakesAll) lost |= this.everyone & ~(1 << mover);
    }
    if (won === wins[node] && lost === losses[node]) return false;
    wins[node] = won;
    losses[node] = lost;
    return true;
  }

  /** Proves for `node` only what follows from its children, so that each result has a child. */
  renew(node: number, mover: number): void {
    const { firstChild, childCount } = this.tree;
    this.wins[node] = 0;
    this.losses[node] = 0;
    const first = firstChild[node];
    for (let child = first; child < first + childCount[node]; child++) this.derive(node, child, mover);
  }

  /** Returns the set of players that all children of a node share. */
  private common(sets: Int32Array, node: number): number {
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    if (first === UNEXPANDED) return 0;
    let shared = this.everyone;
    for (let child = first + childCount[node] - 1; child >= first && shared !== 0; child--)
      shared &= sets[child];
    return shared;
  }
}
