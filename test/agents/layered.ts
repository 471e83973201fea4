import fc from "fast-check";
import { TERMINAL, type Evaluator, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";

/** A position of a layered game; without edges the game ends there. */
interface Node {
  readonly mover: number;
  /** Utility at the end, estimate before it, for player 0. */
  readonly worth: number;
  /** Which node of the next layer each action leads to, and what its player collects from the other. */
  readonly edges: readonly { readonly to: number; readonly gain: number }[];
}

const WIDTH = 4;
const END: Node = { mover: TERMINAL, worth: 0, edges: [] };

/** Layers of positions with many ways to each; the first has one position. */
export const layers: fc.Arbitrary<Node[][]> = (() => {
  const number = fc.integer({ min: -9, max: 9 });
  const edge = fc.record({ to: fc.nat({ max: WIDTH - 1 }), gain: number });
  const inner = fc.record({
    mover: fc.nat({ max: 1 }),
    worth: number,
    edges: fc.array(edge, { minLength: 1, maxLength: 3 }),
  });
  const end = number.map((worth) => ({ ...END, worth }));
  const layer = (node: fc.Arbitrary<Node>) => fc.array(node, { minLength: WIDTH, maxLength: WIDTH });
  const between = fc.oneof({ weight: 6, arbitrary: inner }, { weight: 1, arbitrary: end });
  return fc
    .tuple(inner, fc.array(layer(between), { minLength: 1, maxLength: 5 }), layer(end))
    .map(([first, middle, last]) => [[first], ...middle, last]);
})();

/** A walk through the layers. The hash knows where one is, not what was collected on the way. */
class LayeredState implements State {
  private readonly layers: readonly (readonly Node[])[];
  private readonly collects: boolean;
  private path: readonly { readonly at: number; readonly collected: number }[] = [{ at: 0, collected: 0 }];

  constructor(all: readonly (readonly Node[])[], collects: boolean) {
    this.layers = all;
    this.collects = collects;
  }

  get node(): Node {
    return this.layers[this.path.length - 1]![this.path.at(-1)!.at]!;
  }

  get toMove(): number {
    return this.node.mover;
  }

  get hashLow(): number {
    return WIDTH * this.path.length + this.path.at(-1)!.at;
  }

  get hashHigh(): number {
    return this.hashLow + 1;
  }

  legalActions(out: Int32Array, at: number): number {
    this.node.edges.forEach((_, action) => (out[at + action] = action));
    return this.node.edges.length;
  }

  apply(action: number): void {
    const { edges, mover } = this.node;
    const { to, gain } = edges[action]!;
    const collected = this.path.at(-1)!.collected + (mover === 0 ? gain : 0 - gain);
    this.path = [...this.path, { at: to, collected }];
  }

  undo(): void {
    this.path = this.path.slice(0, -1);
  }

  returns(player: number): number {
    const own = this.toMove === TERMINAL ? this.node.worth : 0;
    const total = this.collects ? this.path.at(-1)!.collected : own;
    return player === 0 ? total : 0 - total;
  }

  copyFrom(other: this): void {
    this.path = other.path;
  }
}

const byWorth: Evaluator<LayeredState> = {
  evaluate: ({ node }, player) => (player === 0 ? node.worth : 0 - node.worth),
};

/** A two-player game through layers: for the worth of where it ends, or for what is collected on the way. */
export function layeredGame(all: readonly (readonly Node[])[], { collects }: { collects: boolean }): Game {
  const most = 10 * all.length;
  return {
    ...createGame("tic-tac-toe"),
    id: "layered",
    rewardsAlongTheWay: collects,
    minReturn: 0 - most,
    maxReturn: most,
    maxActions: 3,
    maxPlies: all.length - 1,
    start: () => new LayeredState(all, collects),
    heuristics: collects ? {} : { worth: { summary: "as written", ...byWorth } },
    featureSets: {},
  };
}
