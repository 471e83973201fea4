import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { ask, copyOf, createPlayer, randomPositions } from "./play.ts";
import { createTree, randomTree } from "./random-trees.ts";
import { slowTest } from "../support/thorough.ts";

/** A position of the tree that knows who chose it and what that player got from it. */
interface Node {
  readonly action: number;
  readonly state: State;
  visits: number;
  reward: number;
  children: Node[] | undefined;
}

/**
 * UCT once more, written for reading: copies of states, nodes that are objects, a value in place of
 * playouts. Nothing is drawn, so that it must decide as the agent does after any number of simulations.
 */
class PlainUct {
  readonly root: Node;
  private readonly game: Game;
  private readonly evaluator: string;
  private readonly exploration: number;

  constructor(
    game: Game,
    state: State,
    { evaluator, exploration }: { evaluator: string; exploration: number },
  ) {
    this.game = game;
    this.evaluator = evaluator;
    this.exploration = exploration;
    this.root = { action: 0, state: copyOf(game, state), visits: 0, reward: 0, children: undefined };
    this.root.children = this.childrenOf(this.root);
  }

  simulate(): void {
    const path: Node[] = [this.root];
    for (let node = this.root; node.state.toMove !== TERMINAL; path.push(node)) {
      if (node.children === undefined && node.visits === 0) break;
      node.children ??= this.childrenOf(node);
      node = this.select(node);
    }
    const leaf = path.at(-1)!;
    path.forEach((node, at) => {
      node.visits++;
      if (at > 0) node.reward += this.rewardOf(leaf.state, path[at - 1]!.state.toMove);
    });
  }

  /** The actions from the root, each the one visited most, of several such the one of the better mean. */
  line(): Node[] {
    const line: Node[] = [];
    for (let children = this.root.children; children !== undefined; children = line.at(-1)!.children) {
      const most = Math.max(...children.map(({ visits }) => visits));
      if (most === 0) break;
      const tied = children.filter(({ visits }) => visits === most);
      const highest = Math.max(...tied.map(({ reward }) => reward));
      line.push(tied.find(({ reward }) => reward === highest)!);
    }
    return line;
  }

  /** The first child that was never visited; else the first of those with the highest bound. */
  private select({ children, visits }: Node): Node {
    const fresh = children!.find((child) => child.visits === 0);
    if (fresh !== undefined) return fresh;
    // The parent's visits with this one. UCB1 is mean + c * sqrt(ln N / n), here with the agent's order of rounding.
    const spread = this.exploration * Math.sqrt(Math.log(visits + 1));
    const bounds = children!.map((child) => (child.reward + spread * Math.sqrt(child.visits)) / child.visits);
    return children![bounds.indexOf(Math.max(...bounds))]!;
  }

  private childrenOf({ state }: Node): Node[] {
    return Array.from(possibleActions(this.game, state), (action) => {
      const next = copyOf(this.game, state);
      next.apply(action);
      return { action, state: next, visits: 0, reward: 0, children: undefined };
    });
  }

  /** From 0 to 1. */
  private rewardOf(state: State, player: number): number {
    const { minReturn, maxReturn, heuristics } = this.game;
    const ended = state.toMove === TERMINAL;
    const value = ended ? state.returns(player) : heuristics[this.evaluator]!.evaluate(state, player);
    return (value - minReturn) * (1 / (maxReturn - minReturn));
  }
}

/** Compares decisions after each of these numbers of simulations. */
function compare(game: Game, state: State, evaluator: string, { counts, exploration }: Effort): void {
  const given = exploration === undefined ? "" : `exploration=${exploration},`;
  const { agent } = createPlayer(
    game,
    `mcts:simulations=1,${given}evaluator=${evaluator},ties=first,maxNodes=50000,priors=0,solver=false,decisive=none`,
  );
  const plain = new PlainUct(game, state, { evaluator, exploration: exploration ?? 0.3 });
  for (const simulations of counts) {
    while (plain.root.visits < simulations) plain.simulate();
    const line = plain.line();
    const found = ask({ agent, budget: { simulations } }, game, { state });
    const mean = line[0]!.reward / line[0]!.visits;
    expect([simulations, found.line]).toEqual([simulations, line.map(({ action }) => action)]);
    expect(found.value).toBeCloseTo(game.minReturn + mean * (game.maxReturn - game.minReturn), 9);
  }
}

interface Effort {
  readonly counts: readonly number[];
  readonly exploration?: number;
}

const FEW = Array.from({ length: 60 }, (_, at) => at + 1);

describe("a plain twin of UCT decides the same after any number of simulations", () => {
  test.each([
    ["connect-four", "threats", undefined],
    ["connect-four", "threats", 0.05],
    ["connect-four", "threats", 1.4],
    ["tic-tac-toe", "open-lines", undefined],
  ] as const)("%s, evaluator %s, exploration %s", (id, evaluator, exploration) => {
    const game = createGame(id);
    const counts = [...FEW, 150, 400, 1000];
    for (const state of randomPositions(game, 4))
      compare(game, state, evaluator, { counts, ...(exploration !== undefined && { exploration }) });
  });

  slowTest.each([2, 3])("random trees of %i players", (players) => {
    fc.assert(
      fc.property(randomTree({ players }), (root) => {
        const game = createTree(root, players);
        compare(game, game.start(), "value", { counts: [...FEW.slice(0, 30), 100] });
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
