import { TERMINAL } from "../../../games/contract/game.ts";
import { AgainstMe, type AgainstMeOptions } from "../../../agents/against-me.ts";
import type { AgentParts } from "../../../agents/agent.ts";
import { AlphaBeta } from "../../../agents/alpha-beta/alpha-beta.ts";
import type { AlphaBetaOptions } from "../../../agents/alpha-beta/options.ts";
import type { ExpectimaxOptions } from "../../../agents/expectimax/search.ts";
import { Expectimax } from "../../../agents/expectimax/expectimax.ts";
import { MaxN, type MaxNOptions } from "../../../agents/max-n.ts";
import { Minimax } from "../../../agents/minimax.ts";
import type { DepthFirstOptions } from "../../../agents/search/depth-first.ts";
import type { Arrival } from "./draft.ts";
import type { SearchObserver } from "./observer.ts";
import type { LeafReason, Role } from "../search-tree.ts";

/*
 * Each search unchanged, with overridden methods that it calls anyway. They tell an observer where the search arrives
 * and with which value it leaves. So a search that nobody observes pays nothing.
 */

/** Says why a search stops at a position with `depth` plies left; undefined if it goes on. */
function leafOf(toMove: number, depth: number): LeafReason | undefined {
  return toMove === TERMINAL ? "terminal" : depth === 0 ? "evaluated" : undefined;
}

/** Describes a position of a search for player `me`: the highest or the lowest of its values counts. */
function minimaxAt(
  toMove: number,
  me: number,
  depth: number,
): Pick<Arrival, "toMove" | "role" | "leaf" | "depth"> {
  return { toMove, role: toMove === me ? "max" : "min", leaf: leafOf(toMove, depth), depth };
}

const finite = (limit: number) => (Number.isFinite(limit) ? limit + 0 : null);

export class ObservedMinimax extends Minimax {
  private readonly observer: SearchObserver;
  private root = 0;

  constructor(parts: AgentParts<DepthFirstOptions>, observer: SearchObserver) {
    super({ ...parts, evaluator: observer.hide(parts.evaluator) });
    this.observer = observer;
    observer.watch(this.state);
  }

  protected override search(depth: number, actions: Int32Array): number {
    this.root = this.state.toMove;
    const root = { toMove: this.root, role: "max", depth } as const;
    return this.observer.iteration(actions, root, () => super.search(depth, actions));
  }

  protected override visit(...to: Parameters<Minimax["visit"]>): number {
    const [me, depth] = to;
    return this.observer.within(
      minimaxAt(this.state.toMove, this.root, depth),
      () => super.visit(...to),
      (value) => (me === this.root ? value : 0 - value),
    );
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

  protected override root(...to: Parameters<AlphaBeta["root"]>): number {
    const [depth, actions, alpha, beta] = to;
    this.me = this.state.toMove;
    const window = [this.bound(alpha), this.bound(beta)] as const;
    const root = { toMove: this.me, role: "max", depth, window } as const;
    return this.observer.iteration(
      actions,
      root,
      () => super.root(...to),
      (value) => this.reported(value),
    );
  }

  protected override child(...to: Parameters<AlphaBeta["child"]>): number {
    const [me, depth, alpha, beta] = to;
    const window =
      me === this.me
        ? ([this.bound(alpha), this.bound(beta)] as const)
        : ([this.bound(0 - beta), this.bound(0 - alpha)] as const);
    return this.seen(me, { depth: depth - 1, window }, () => super.child(...to));
  }

  protected override noisyChild(...to: Parameters<AlphaBeta["noisyChild"]>): number {
    return this.seen(to[0], { depth: 0 }, () => super.noisyChild(...to));
  }

  protected override list(at: number): number {
    const count = super.list(at);
    this.observer.list(this.stack.slice(at, at + count));
    return count;
  }

  protected override passed(...to: Parameters<AlphaBeta["passed"]>): number {
    return this.observer.hideBelow(() => super.passed(...to));
  }

  private seen(me: number, { depth, window }: Pick<Arrival, "depth" | "window">, run: () => number): number {
    const arrival = { ...minimaxAt(this.state.toMove, this.me, depth), ...(window && { window }) };
    return this.observer.within(arrival, run, (value) => this.reported(me === this.me ? value : 0 - value));
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
    const root = {
      toMove: this.state.toMove,
      role: "max",
      depth,
      ...this.window(-Infinity, Infinity),
    } as const;
    return this.observer.iteration(actions, root, () => super.search(depth, actions));
  }

  protected override visit(...to: Parameters<Expectimax["visit"]>): number {
    const [depth, , , alpha, beta] = to;
    const leaf = leafOf(this.state.toMove, depth);
    return this.observer.within({ ...this.arrival(depth, alpha, beta), leaf }, () => super.visit(...to));
  }

  protected override mean(...to: Parameters<Expectimax["mean"]>): number {
    const [, at, count] = to;
    this.observer.mix(this.stack.probabilities.slice(at, at + count));
    return super.mean(...to);
  }

  protected override look(...to: Parameters<Expectimax["look"]>): number {
    const [depth, , , alpha, beta] = to;
    const arrival = { ...this.arrival(depth, alpha, beta), leaf: "look", isAside: true } as const;
    return this.observer.within(
      arrival,
      () => super.look(...to),
      (value) => (Number.isNaN(value) ? null : value),
    );
  }

  protected override askModel(...to: Parameters<Expectimax["askModel"]>): number {
    return this.observer.countOnly(() => super.askModel(...to));
  }

  private arrival(depth: number, alpha: number, beta: number): Arrival {
    const { me, model, state } = this;
    const role: Role = state.toMove === me ? "max" : model === null ? "min" : "mean";
    return { toMove: state.toMove, role, depth, ...this.window(alpha, beta) };
  }

  private window(alpha: number, beta: number): Pick<Arrival, "window"> {
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
    const root = { toMove: this.state.toMove, role: "player", depth } as const;
    return this.observer.iteration(
      actions,
      root,
      () => super.search(depth, actions),
      () => this.tuple(0),
    );
  }

  protected override visit(...to: Parameters<MaxN["visit"]>): boolean {
    const { observer, state } = this;
    const [depth, , , tuple] = to;
    const leaf = leafOf(state.toMove, depth);
    observer.arrive({ toMove: state.toMove, role: "player", depth });
    const isLeftOut = super.visit(...to);
    observer.leave(this.tuple(tuple), isLeftOut ? "refuted" : leaf);
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
    super({ ...parts, evaluator: observer.hide(parts.evaluator) }, opposition);
    this.observer = observer;
    observer.watch(this.state);
  }

  protected override search(depth: number, actions: Int32Array): number {
    const root = { toMove: this.state.toMove, role: "max", depth, window: [null, null] } as const;
    return this.observer.iteration(actions, root, () => super.search(depth, actions));
  }

  protected override visit(...to: Parameters<AgainstMe["visit"]>): number {
    const [depth, , , alpha, beta] = to;
    const window = [finite(alpha), finite(beta)] as const;
    const arrival = { ...minimaxAt(this.state.toMove, this.me, depth), window };
    return this.observer.within(arrival, () => super.visit(...to));
  }

  protected override best(...to: Parameters<AgainstMe["best"]>): number {
    this.observer.consider(to[2]);
    return super.best(...to);
  }

  protected override worthTo(player: number): number {
    const arrival = {
      toMove: this.state.toMove,
      role: "max",
      depth: 0,
      leaf: "usual",
      isAside: true,
    } as const;
    return this.observer.within(arrival, () => super.worthTo(player));
  }
}
