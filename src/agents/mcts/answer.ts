import { CHANCE, type Game, type State } from "../../games/contract/game.ts";
import type { Decision, Found, RankedAction, TellFrom, Turn } from "../agent.ts";
import type { GumbelSelection } from "./gumbel.ts";
import type { PolicyEstimates } from "./estimates.ts";
import type { Parts } from "./parts.ts";
import type { Proofs } from "./proofs.ts";
import { UNEXPANDED, type SimulationTree } from "./tree.ts";
import type { TimeShare } from "../search/meter.ts";

/** A position of which nothing is told. */
const ON_THE_WAY = { actions: new Int32Array(), policy: new Float64Array(), isProven: false };

/** Reads the decision from a finished tree. */
export class Answer {
  private readonly game: Game;
  private readonly tree: SimulationTree;
  private readonly proofs: Proofs | null;
  private readonly gumbel: GumbelSelection | null;
  private readonly learnt: PolicyEstimates | null;
  private readonly state: State;

  constructor(
    game: Game,
    tree: SimulationTree,
    { proofs, gumbel, learnt }: Pick<Parts, "proofs" | "gumbel" | "learnt">,
  ) {
    this.game = game;
    this.tree = tree;
    this.proofs = proofs;
    this.gumbel = gumbel;
    this.learnt = learnt;
    this.state = game.start();
  }

  /**
   * Decides for a proven win, else for the most visited action (robust child; Chaslot et al. 2008), among equals for
   * the better mean, or for the one that Gumbel's selection prefers. A proven loss comes last.
   */
  decide(root: State, { ranked = 0, tellFrom }: Turn, simulations: number): Decision {
    this.gumbel?.look(0, root.toMove);
    const { action, value, line } = this.describe(this.best(0, root.toMove), root);
    const decision = { action, value, depth: line.length, nodes: simulations, line };
    return {
      ...decision,
      ...(ranked > 0 && { ranking: this.rank(root, ranked) }),
      ...(tellFrom !== undefined && { found: this.tell(root, tellFrom) }),
    };
  }

  /** Describes the root for learning, and the positions below it that have so many visits or are proven. */
  private tell(root: State, { visits = Infinity, proven = false }: TellFrom): Found[] {
    const { state, tree } = this;
    const found = [{ depth: 0, action: 0, ...this.describeFound(0, root.toMove) }];
    // The only visit of a position came to none of its children.
    const isTold = (node: number) =>
      tree.visits[node] >= Math.max(2, visits) || (proven && this.proofs?.isSettled(node) === true);
    const tellBelow = (node: number, depth: number) => {
      const first = tree.firstChild[node];
      if (first === UNEXPANDED) return;
      for (let child = first; child < first + tree.childCount[node]; child++) {
        if (!isTold(child) || tree.firstChild[child] === UNEXPANDED) continue;
        const action = tree.action[child];
        state.apply(action);
        found.push({
          depth,
          action,
          ...(state.toMove === CHANCE ? ON_THE_WAY : this.describeFound(child, state.toMove)),
        });
        tellBelow(child, depth + 1);
        state.undo();
      }
    };
    state.copyFrom(root);
    tellBelow(0, 1);
    return found;
  }

  /**
   * Describes a position for learning. The policy is the improved policy, or without Gumbel's selection the shares of visits;
   * the value is the mixed value, or the mean of all visits. Proofs come first: a proven win has the value and the
   * actions that win, and a proven loss is no action while there is another.
   */
  private describeFound(node: number, mover: number): Omit<Found, "depth" | "action"> {
    const { firstChild, childCount, action } = this.tree;
    const first = firstChild[node];
    const policy = new Float64Array(childCount[node]);
    const found = this.gumbel?.improve(node, mover, policy) ?? this.shareVisits(node, policy);
    const proof = this.proofOf(node, mover);
    const isMeant = policy.map((_, at) => {
      const after = this.proofOf(first + at, mover);
      return Number(proof === "win" ? after === "win" : proof === "loss" || after !== "loss");
    });
    const sum = policy.reduce((total, share, at) => total + share * isMeant[at], 0);
    // The search may not have come to any of them.
    const weights = sum > 0 ? policy.map((share, at) => (share * isMeant[at]) / sum) : evenly(isMeant);
    const value = proof === undefined ? found : Number(proof === "win");
    return {
      actions: action.slice(first, first + policy.length),
      policy: weights,
      value: this.inUnits(value),
      isProven: proof !== undefined,
    };
  }

  /** Writes the shares of a node's children in its visits; returns the mean reward, its own evaluation included. */
  private shareVisits(node: number, out: Float64Array): number {
    const { firstChild, visits, reward } = this.tree;
    let sum = this.learnt === null ? 0 : this.learnt.worth[node];
    let count = this.learnt === null ? 0 : 1;
    for (let at = 0; at < out.length; at++) {
      sum += reward[firstChild[node] + at];
      count += out[at] = visits[firstChild[node] + at];
    }
    return count === 0 ? 0 : sum / count;
  }

  /** Changes a reward of 0..1 into the game's units. */
  private inUnits(reward: number): number {
    const { minReturn, maxReturn } = this.game;
    return minReturn + reward * (maxReturn - minReturn);
  }

  /** Returns the reward of the player who chose the node, 0..1: the proven result, or the mean. */
  worth(node: number, chooser: number): number {
    const proof = this.proofOf(node, chooser);
    if (proof !== undefined) return proof === "win" ? 1 : 0;
    return this.tree.reward[node] / this.tree.visits[node];
  }

  /** Returns the proven result of a node for a player; undefined if nothing is proven. */
  proofOf(node: number, player: number): "win" | "loss" | undefined {
    const { proofs } = this;
    if (proofs === null || player < 0) return undefined;
    if (proofs.isWin(node, player)) return "win";
    return proofs.isLoss(node, player) ? "loss" : undefined;
  }

  /** Returns the probability of the action that leads to a node in the policy at its parent; undefined without a policy. */
  priorOf(node: number): number | undefined {
    return this.learnt?.prior[node];
  }

  /** Returns the `count` best actions of the root that were tried, in the order in which `decide` prefers them. */
  private rank(root: State, count: number): RankedAction[] {
    const { gumbel, learnt } = this;
    const { firstChild, childCount, visits } = this.tree;
    const improved = new Float64Array(childCount[0]);
    gumbel?.improve(0, root.toMove, improved);
    return Array.from({ length: childCount[0] }, (_, at) => firstChild[0] + at)
      .filter((child) => visits[child] > 0)
      .toSorted((one, other) => this.compare(one, other, root.toMove))
      .slice(0, count)
      .map((child) => ({
        ...this.describe(child, root),
        ...(learnt !== null && { prior: learnt.prior[child] }),
        ...(gumbel !== null && { improved: improved[child - firstChild[0]] }),
      }));
  }

  /** Describes a child of the root. Its line ends before a chance event, or where nothing was tried yet. */
  private describe(child: number, root: State): RankedAction & { readonly visits: number } {
    const { state, tree } = this;
    const line: number[] = [];
    state.copyFrom(root);
    for (let node = child; tree.visits[node] > 0; node = this.best(node, state.toMove)) {
      line.push(tree.action[node]);
      state.apply(tree.action[node]);
      if (state.toMove < 0 || tree.firstChild[node] === UNEXPANDED) break;
    }
    return {
      action: tree.action[child],
      value: this.inUnits(this.worth(child, root.toMove)),
      line,
      visits: tree.visits[child],
    };
  }

  /** Returns the child of `node` that comes first in the order of `compare`. */
  private best(node: number, mover: number): number {
    const { firstChild, childCount } = this.tree;
    let best = firstChild[node];
    for (let child = best + 1; child < firstChild[node] + childCount[node]; child++)
      if (this.compare(child, best, mover) < 0) best = child;
    return best;
  }

  /** Negative if `mover` prefers the child `one` to `other`. */
  private compare(one: number, other: number, mover: number): number {
    const { visits } = this.tree;
    return (
      this.proven(other, mover) - this.proven(one, mover) ||
      visits[other] - visits[one] ||
      this.preference(other) - this.preference(one)
    );
  }

  /** The score that decides between children of a node that are visited equally often. */
  private preference(child: number): number {
    const { gumbel, tree } = this;
    const isAtRoot = child < tree.firstChild[0] + tree.childCount[0];
    return gumbel !== null && isAtRoot ? gumbel.preference(child) : tree.reward[child];
  }

  /** 1 for a proven win of the player, -1 for a proven loss, else 0. */
  private proven(node: number, player: number): number {
    const proof = this.proofOf(node, player);
    return Number(proof === "win") - Number(proof === "loss");
  }
}

/** An undecided search goes on for so many targets. */
const UNDECIDED_TARGETS = 2;
/** The root is undecided while the second action has this part of the first one's visits. */
const CLOSE = 0.85;

/**
 * Says when a search with clocks has seen enough. It stops before its time if the second most visited action cannot
 * catch up, and goes on after it while the root is undecided (Baudis and Gailly 2011). A single action is taken at once.
 */
export class Patience {
  private readonly share: TimeShare;
  private readonly tree: SimulationTree | null;
  private readonly begun: number;
  /** The most visits of a child of the root, and the second most, when they were last looked at. */
  private first = 0;
  private second = 0;
  private firstHasBestMean = false;

  /** @param tree null if its visits do not tell how clear the decision is: the time alone counts then */
  constructor(share: TimeShare, begun: number, tree: SimulationTree | null) {
    this.share = share;
    this.tree = tree;
    this.begun = begun;
  }

  /** True if the search should end at the time `now`, after so many simulations. */
  isOver(now: number, simulations: number): boolean {
    const { targetMs, mostMs, use } = this.share;
    if (use === "limit") return false;
    const spent = now - this.begun;
    if (this.tree === null) return spent >= (use === "spend" ? mostMs : targetMs);
    if (this.tree.childCount[0] === 1) return true;
    this.look(this.tree);
    const lead = this.first - this.second;
    const isUndecided = lead < this.first * (1 - CLOSE) || !this.firstHasBestMean;
    const allowed =
      use === "spend" ? mostMs : isUndecided ? Math.min(mostMs, targetMs * UNDECIDED_TARGETS) : targetMs;
    const left = Math.max(0, allowed - spent);
    return left === 0 || lead > (simulations / Math.max(spent, 1e-3)) * left;
  }

  private look({ firstChild, childCount, visits, reward }: SimulationTree): void {
    this.first = this.second = 0;
    let firstMean = 0;
    let bestMean = 0;
    const end = firstChild[0] + childCount[0];
    for (let child = firstChild[0]; child < end; child++) {
      const count = visits[child];
      if (count === 0) continue;
      const mean = reward[child] / count;
      if (mean > bestMean) bestMean = mean;
      if (count > this.first) {
        this.second = this.first;
        this.first = count;
        firstMean = mean;
      } else if (count > this.second) this.second = count;
    }
    this.firstHasBestMean = firstMean >= bestMean;
  }
}

/** Shares 1 evenly among the entries that are 1. */
function evenly(chosen: Float64Array): Float64Array {
  const count = chosen.reduce((sum, one) => sum + one, 0);
  return chosen.map((one) => one / count);
}
