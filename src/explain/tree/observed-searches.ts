import { TERMINAL, type Pass, type State } from "../../game/game.ts";
import { AgainstMe, type AgainstMeOptions } from "../../agents/against-me.ts";
import type { AgentParts } from "../../agents/agent.ts";
import { AlphaBeta } from "../../agents/alpha-beta/alpha-beta.ts";
import type { AlphaBetaOptions } from "../../agents/alpha-beta/options.ts";
import type { OpponentModel } from "../../agents/expectimax/opponent.ts";
import type { ExpectimaxOptions } from "../../agents/expectimax/options.ts";
import { Expectimax } from "../../agents/expectimax/star.ts";
import { MaxN, type MaxNOptions } from "../../agents/max-n.ts";
import { Minimax } from "../../agents/minimax.ts";
import type { DepthFirstOptions } from "../../agents/search/depth-first.ts";
import type { SearchObserver } from "./observer.ts";
import type { LeafReason, Role } from "./search-tree.ts";

/*
 * The searches themselves, telling an observer what they do. They override methods that the searches call anyway, so a
 * search that nobody observes is the code that it would be without them.
 */

/** Why a search asks nothing below a position with `depth` plies left. */
function leafOf({ toMove }: State, depth: number): LeafReason | undefined {
  return toMove === TERMINAL ? "terminal" : depth === 0 ? "evaluated" : undefined;
}

const roleOf = ({ toMove }: State, root: number): Role => (toMove === root ? "max" : "min");

/** Minimax has no method that visits a leaf: of these the evaluator and the state tell when they are asked. */
export class ObservedMinimax extends Minimax {
  private readonly observer: SearchObserver;
  private root = 0;

  constructor(parts: AgentParts<DepthFirstOptions>, observer: SearchObserver) {
    const hidden = observer.hide(parts.evaluator);
    super({
      ...parts,
      evaluator: { evaluate: (state, me) => this.atLeaf(me, hidden.evaluate(state, me), "evaluated") },
    });
    this.observer = observer;
    observer.watch(this.state, { isListing: false });
    const returns = this.state.returns.bind(this.state);
    this.state.returns = (me) => this.atLeaf(me, returns(me), "terminal");
  }

  protected override best(depth: number, at: number, count: number, ply: number): number {
    const { observer, state, stack } = this;
    const me = state.toMove;
    if (ply === 0) this.root = me;
    const actions = stack.slice(at, at + count);
    const arrival = { role: roleOf(state, this.root), depth };
    if (ply === 0) observer.begin(me, actions, arrival);
    else {
      observer.arrive(me, arrival);
      observer.list(actions);
    }
    const best = super.best(depth, at, count, ply);
    const value = me === this.root ? best : 0 - best;
    if (ply === 0) observer.end(value);
    else observer.leave(value);
    return best;
  }

  private atLeaf(me: number, value: number, leaf: LeafReason): number {
    const { observer, root, state } = this;
    // What is told of a leaf within another call, such as by an evaluator that asks for returns, is no node.
    if (observer.isInside) return value;
    observer.arrive(state.toMove, { role: roleOf(state, root), depth: 0 });
    observer.leave(me === root ? value : 0 - value, leaf);
    return value;
  }
}

export class ObservedAlphaBeta extends AlphaBeta {
  private readonly observer: SearchObserver;
  private me = 0;

  constructor(parts: AgentParts<AlphaBetaOptions>, observer: SearchObserver) {
    super({ ...parts, evaluator: observer.hide(parts.evaluator) });
    this.observer = observer;
    observer.watch(this.state, { isListing: false });
  }

  protected override root(depth: number, actions: Int32Array, alpha: number, beta: number): number {
    this.me = this.state.toMove;
    const window = [this.bound(alpha), this.bound(beta)] as const;
    this.observer.begin(this.me, actions, { role: "max", depth, window });
    const value = super.root(depth, actions, alpha, beta);
    this.observer.end(this.reported(value));
    return value;
  }

  protected override child(
    me: number,
    depth: number,
    alpha: number,
    beta: number,
    at: number,
    ply: number,
  ): number {
    const { observer, state } = this;
    const leaf = leafOf(state, depth - 1);
    const window =
      me === this.me
        ? ([this.bound(alpha), this.bound(beta)] as const)
        : ([this.bound(0 - beta), this.bound(0 - alpha)] as const);
    observer.arrive(state.toMove, { role: roleOf(state, this.me), depth: depth - 1, window });
    const value = super.child(me, depth, alpha, beta, at, ply);
    observer.leave(this.reported(me === this.me ? value : 0 - value), leaf);
    return value;
  }

  protected override noisyChild(me: number, alpha: number, beta: number, at: number, ply: number): number {
    const { observer, state } = this;
    const leaf = leafOf(state, 0);
    observer.arrive(state.toMove, { role: roleOf(state, this.me), depth: 0 });
    const value = super.noisyChild(me, alpha, beta, at, ply);
    observer.leave(this.reported(me === this.me ? value : 0 - value), leaf);
    return value;
  }

  protected override list(at: number): number {
    const count = super.list(at);
    this.observer.list(this.stack.slice(at, at + count));
    return count;
  }

  protected override passed(pass: Pass, depth: number, beta: number, at: number, ply: number): number {
    return this.observer.hideBelow(() => super.passed(pass, depth, beta, at, ply));
  }

  private bound(limit: number): number | null {
    return Math.abs(limit) >= this.infinity ? null : this.reported(limit) + 0;
  }
}

export class ObservedExpectimax extends Expectimax {
  private readonly observer: SearchObserver;

  private readonly hasWindows: boolean;

  constructor(parts: AgentParts<ExpectimaxOptions>, observer: SearchObserver) {
    super({ ...parts, evaluator: observer.hide(parts.evaluator) });
    this.observer = observer;
    this.hasWindows = parts.options.pruning !== "none";
    observer.watch(this.state);
  }

  protected override search(depth: number, actions: Int32Array): number {
    this.observer.begin(this.state.toMove, actions, {
      role: "max",
      depth,
      ...this.window(-Infinity, Infinity),
    });
    const value = super.search(depth, actions);
    this.observer.end(value);
    return value;
  }

  protected override visit(depth: number, at: number, ply: number, alpha: number, beta: number): number {
    const { observer, state } = this;
    const leaf = this.isUnlikely ? "evaluated" : leafOf(state, depth);
    observer.arrive(state.toMove, { role: this.role(), depth, ...this.window(alpha, beta) });
    const value = super.visit(depth, at, ply, alpha, beta);
    observer.leave(value, leaf);
    return value;
  }

  protected override mean(
    depth: number,
    at: number,
    count: number,
    ply: number,
    alpha: number,
    beta: number,
  ): number {
    this.observer.mix(this.stack.probabilities.slice(at, at + count));
    return super.mean(depth, at, count, ply, alpha, beta);
  }

  protected override look(depth: number, at: number, ply: number, alpha: number, beta: number): number {
    const { observer, state } = this;
    observer.arrive(state.toMove, {
      role: this.role(),
      depth,
      ...this.window(alpha, beta),
      isLook: true,
    });
    const value = super.look(depth, at, ply, alpha, beta);
    observer.leave(Number.isNaN(value) ? null : value, "look");
    return value;
  }

  protected override askModel(model: OpponentModel, at: number, count: number): number {
    return this.observer.countOnly(() => super.askModel(model, at, count));
  }

  private role(): Role {
    const { state, me } = this;
    return state.toMove !== me && this.model !== null ? "mean" : roleOf(state, me);
  }

  private window(alpha: number, beta: number): { readonly window?: readonly [number | null, number | null] } {
    return this.hasWindows ? { window: [finite(alpha), finite(beta)] } : {};
  }
}

export class ObservedMaxN extends MaxN {
  private readonly observer: SearchObserver;

  constructor(parts: AgentParts<MaxNOptions>, observer: SearchObserver) {
    super({ ...parts, evaluator: observer.hide(parts.evaluator) });
    this.observer = observer;
    observer.watch(this.state);
  }

  protected override search(depth: number, actions: Int32Array): number {
    this.observer.begin(this.state.toMove, actions, { role: "player", depth });
    const value = super.search(depth, actions);
    this.observer.end(this.tuple(0));
    return value;
  }

  protected override visit(
    depth: number,
    at: number,
    ply: number,
    to: number,
    parent: number,
    parentBest: number,
    grand: number,
    grandBest: number,
  ): boolean {
    const { observer, state } = this;
    const leaf = leafOf(state, depth);
    observer.arrive(state.toMove, { role: "player", depth });
    const isLeftOut = super.visit(depth, at, ply, to, parent, parentBest, grand, grandBest);
    observer.leave(this.tuple(to), isLeftOut ? "refuted" : leaf);
    return isLeftOut;
  }

  private tuple(at: number): number[] {
    return Array.from(this.tuples.subarray(at, at + this.players));
  }
}

/** Paranoid and best-reply search. */
export class ObservedAgainstMe extends AgainstMe {
  private readonly observer: SearchObserver;

  constructor(parts: AgentParts<AgainstMeOptions>, opposition: "all" | "one", observer: SearchObserver) {
    const hidden = observer.hide(parts.evaluator);
    super(
      {
        ...parts,
        evaluator: { evaluate: (state, player) => this.probed(hidden.evaluate(state, player)) },
      },
      opposition,
    );
    this.observer = observer;
    observer.watch(this.state);
    const returns = this.state.returns.bind(this.state);
    this.state.returns = (player) => this.probed(returns(player));
  }

  protected override search(depth: number, actions: Int32Array): number {
    this.observer.begin(this.state.toMove, actions, { role: "max", depth, window: [null, null] });
    const value = super.search(depth, actions);
    this.observer.end(value);
    return value;
  }

  protected override visit(
    depth: number,
    at: number,
    ply: number,
    alpha: number,
    beta: number,
    acting: number,
  ): number {
    const { observer, state, me } = this;
    const leaf = leafOf(state, depth);
    const window = [finite(alpha), finite(beta)] as const;
    observer.arrive(state.toMove, { role: roleOf(state, me), depth, window });
    const value = super.visit(depth, at, ply, alpha, beta, acting);
    observer.leave(value, leaf);
    return value;
  }

  protected override best(
    depth: number,
    at: number,
    count: number,
    ply: number,
    alpha: number,
    beta: number,
    acting: number,
    first: number,
  ): number {
    this.observer.consider(count);
    return super.best(depth, at, count, ply, alpha, beta, acting, first);
  }

  protected override bringUsual(at: number, count: number): void {
    this.observer.probe(() => super.bringUsual(at, count));
  }

  /** A value that the search has just asked for; while it looks for a usual move, each belongs to a node. */
  private probed(value: number): number {
    if (this.observer.isProbing && !this.observer.isInside) {
      this.observer.arrive(this.state.toMove, { role: "max", depth: 0 });
      this.observer.leave(value, "usual");
    }
    return value;
  }
}

const finite = (limit: number) => (Number.isFinite(limit) ? limit + 0 : null);
