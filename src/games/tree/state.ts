import { mixHigh, mixLow } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";
import type { Tree } from "./plant.ts";

/** A place in a game tree. An action or outcome is the number of the child. */
export class TreeState implements State {
  toMove: number;
  node = 0;
  private readonly tree: Tree;

  constructor(tree: Tree) {
    this.tree = tree;
    this.toMove = tree.toMove[0];
  }

  get hashLow(): number {
    return mixLow(this.node, 0, 0, 0);
  }

  get hashHigh(): number {
    return mixHigh(this.node, 0, 0, 0);
  }

  legalActions(out: Int32Array, at: number): number {
    const count = this.tree.childCount[this.node];
    for (let child = 0; child < count; child++) out[at + child] = child;
    return count;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    if (this.toMove !== CHANCE) return 0;
    const { probability, firstChild } = this.tree;
    const count = this.legalActions(out, at);
    const first = firstChild[this.node];
    for (let child = 0; child < count; child++) probabilities[at + child] = probability[first + child];
    return count;
  }

  apply(child: number): void {
    this.node = this.tree.firstChild[this.node] + child;
    this.toMove = this.tree.toMove[this.node];
  }

  undo(): void {
    this.node = this.tree.parent[this.node];
    this.toMove = this.tree.toMove[this.node];
  }

  returns(player: number): number {
    return this.toMove === TERMINAL ? this.tree.value[this.node * this.tree.players + player] : 0;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.node = other.node;
  }
}
