import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { createPicture } from "./picture.ts";
import { plantTree, type Tree } from "./plant.ts";
import { parseLegal } from "../contract/notation.ts";
import { CHANCE, TERMINAL, type Rules } from "../contract/rules.ts";
import { node as treeNode } from "./schema.ts";
import { TreeState } from "./state.ts";

const options = z.strictObject({
  players: z.int().min(1).max(6).default(2).describe("number of players"),
  root: treeNode.describe("the whole tree: a decision or a chance event"),
});

/**
 * A game tree written out by hand, for textbook cases. An action or outcome is the number of the
 * child, written as its name; a position is the path of names from the root, or `.` for the root.
 *
 * ```yaml
 * game:
 *   id: tree
 *   root:
 *     player: 0
 *     actions:
 *       safe: 3
 *       bold: { chance: [{ probability: 1/3, node: 9 }, { probability: 2/3, node: 0 }] }
 *       wait: { player: 1, actions: [5, 2], value: 4 }
 * ```
 */
export const tree = defineGame({
  id: "tree",
  summary: "an explicit game tree, written in the config",
  options,
  rules({ players, root }): Rules<TreeState> {
    const planted = plantTree(root, players);
    const { maxActions, maxPlies, zeroSum } = planted;
    return {
      players,
      chance: planted.toMove.includes(CHANCE),
      zeroSum,
      minReturn: planted.minValue,
      maxReturn: planted.maxValue,
      maxActions,
      maxPlies,
      start: () => new TreeState(planted),
      formatAction: (child, { node }) => planted.name[planted.firstChild[node] + child]!,
      formatState: ({ node }) => pathTo(planted, node),
      parseState(text) {
        const state = new TreeState(planted);
        const path = text.trim();
        if (path === ".") return state;
        for (const name of path.split("/")) {
          try {
            state.apply(parseLegal(this, name, state));
          } catch (error) {
            if (!(error instanceof InputError)) throw error;
            throw new InputError(`"${path}" at ${pathTo(planted, state.node)}: ${error.message}`);
          }
        }
        return state;
      },
      render: ({ node }) => render(planted, node),
    };
  },
  facets({ players, root }): Facets<TreeState> {
    const planted = plantTree(root, players);
    return {
      featureSets: { nodes: nodeFeatures(planted) },
      heuristics: { value: valueHeuristic(planted) },
      picture: createPicture(planted, (node) => pathTo(planted, node)),
    };
  },
});

function pathTo({ parent, name }: Tree, node: number): string {
  const names: string[] = [];
  for (let at = node; at !== 0; at = parent[at]) names.push(name[at]!);
  return names.length === 0 ? "." : names.toReversed().join("/");
}

function render(planted: Tree, node: number): string {
  const { firstChild, childCount, probability, name, toMove } = planted;
  const children = Array.from({ length: childCount[node] }, (_, child) => {
    const at = firstChild[node] + child;
    const odds = toMove[node] === CHANCE ? ` (${Number(probability[at].toPrecision(4))})` : "";
    return `  ${name[at]}${odds}: ${describeNode(planted, at)}`;
  });
  return [`${pathTo(planted, node)}: ${describeNode(planted, node)}`, ...children].join("\n");
}

function describeNode({ toMove, value, players }: Tree, node: number): string {
  if (toMove[node] === CHANCE) return "chance";
  if (toMove[node] !== TERMINAL) return `player ${toMove[node] + 1}`;
  return Array.from(value.subarray(node * players, (node + 1) * players), String).join(", ");
}

/**
 * `nodes`: one feature for each node, so that a linear evaluator is a table of values. In a two-player
 * zero-sum tree the value is +1 for player 0 and -1 for player 1. In other trees there is one feature for
 * each node and player.
 */
function nodeFeatures(planted: Tree): FeatureSet<TreeState> {
  const { size, players } = planted;
  const signed = players === 2 && planted.zeroSum;
  const views = signed ? 1 : players;
  return {
    summary: "one for each node: a table of values",
    version: 1,
    size: size * views,
    maxActive: 1,
    extract({ node }, player, index, value) {
      index[0] = signed ? node : node * players + player;
      value[0] = signed && player === 1 ? -1 : 1;
      return 1;
    },
    describe(feature) {
      const path = pathTo(planted, Math.floor(feature / views));
      return signed ? path : `${path} for player ${(feature % views) + 1}`;
    },
  };
}

function valueHeuristic({ players, value }: Tree): Heuristic<TreeState> {
  return {
    summary: "the `value` written at the node; without one 0, or the middle of a tree that is not zero-sum",
    evaluate: ({ node }, player) => value[node * players + player],
  };
}
