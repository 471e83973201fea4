import { CHANCE, type Game, type State } from "../../../games/contract/game.ts";
import {
  isAside,
  type Cut,
  type LeafReason,
  type Role,
  type SearchNode,
  type Unseen,
  type Value,
} from "../search-tree.ts";

/** The most names of unseen actions that a node keeps. */
const UNSEEN_NAMES = 12;

/** A node while the search is being recorded. */
export interface Draft {
  action: number;
  order: number;
  toMove: number;
  role: Role;
  depth: number;
  value: Value | null;
  window: readonly [number | null, number | null] | undefined;
  leaf: LeafReason | undefined;
  probability: number | undefined;
  cut: Cut | undefined;
  /** The actions of the position, as the game lists them; undefined if the search did not ask. */
  actions: readonly number[] | undefined;
  probabilities: readonly number[] | undefined;
  /** The number of actions that the search considers; undefined: all. */
  considered: number | undefined;
  /** The number of visited children, recorded or not, without those aside; one searched again counts once. */
  visited: number;
  /** The action of the last visited child. */
  last: number | undefined;
  hidden: number;
  isLeft: boolean;
  children: Draft[];
}

/** A node as the search comes to it. */
export interface Arrival {
  readonly toMove: number;
  readonly role: Role;
  /** Plies left. */
  readonly depth: number;
  readonly window?: readonly [number | null, number | null];
  readonly leaf?: LeafReason | undefined;
  /** True if the node is no part of its parent's value: the search comes to look for a bound or for the usual move. */
  readonly isAside?: boolean;
}

/** Makes the draft of a node that the search has just come to. */
export function createDraft(
  { action, order }: Pick<Draft, "action" | "order">,
  { toMove, role, depth, window }: Arrival,
): Draft {
  return {
    action,
    order,
    toMove,
    role: toMove === CHANCE ? "mean" : role,
    depth,
    value: null,
    window,
    leaf: undefined,
    probability: undefined,
    cut: undefined,
    actions: undefined,
    probabilities: undefined,
    considered: undefined,
    visited: 0,
    last: undefined,
    hidden: 0,
    isLeft: false,
    children: [],
  };
}

/** Returns the bound that ended the search of a node; undefined if all its actions were visited. */
export function cutOf({ actions, considered, visited, window, value, role }: Draft): Cut | undefined {
  if (actions === undefined || visited >= (considered ?? actions.length)) return undefined;
  if (window === undefined || typeof value !== "number") return undefined;
  const [alpha, beta] = window;
  if (role === "mean") {
    if (alpha !== null && value <= alpha) return { bound: "alpha", limit: alpha, value };
    return beta !== null && value >= beta ? { bound: "beta", limit: beta, value } : undefined;
  }
  if (role === "max") return beta === null ? undefined : { bound: "beta", limit: beta, value };
  return alpha === null ? undefined : { bound: "alpha", limit: alpha, value };
}

/** Makes a node with names, which need its position: `state` is there, and so again afterwards. */
export function complete(draft: Draft, parts: { name: string; game: Game; state: State }): SearchNode {
  const { name, game, state } = parts;
  const { action, order, toMove, role, depth, value, window, leaf, probability, cut, hidden } = draft;
  const unseen = unseenOf(draft, game, state);
  const children = draft.children.map((child) => {
    const childName = game.formatAction(child.action, state);
    state.apply(child.action);
    const node = complete(child, { name: childName, game, state });
    state.undo();
    return node;
  });
  return {
    name,
    action,
    order,
    toMove,
    role,
    depth,
    value,
    ...(window && { window }),
    ...(leaf && { leaf }),
    ...(probability !== undefined && { probability }),
    ...(cut && { cut }),
    ...(unseen && { unseen }),
    hidden,
    children,
  };
}

function unseenOf(draft: Draft, game: Game, state: State): Unseen | undefined {
  const { actions, considered, visited, children, isLeft, leaf } = draft;
  const count = (actions?.length ?? 0) - visited;
  if (actions === undefined || count === 0 || leaf === "look") return undefined;
  const seen = new Set(children.filter((child) => !isAside(child)).map(({ action }) => action));
  // Children that were visited but not recorded are not known by name.
  const isKnown = seen.size === visited;
  const names = isKnown
    ? actions
        .filter((action) => !seen.has(action))
        .slice(0, UNSEEN_NAMES)
        .map((action) => game.formatAction(action, state))
    : [];
  const isUsual = considered !== undefined && considered < actions.length;
  return { count, names, reason: isUsual ? "usual" : isLeft ? "cut" : "budget" };
}
