import { z } from "zod";
import type { Reply } from "../../../base/caller.ts";
import { check } from "../../../base/check.ts";
import { InputError } from "../../../base/errors.ts";
import type { SearchNode } from "../../../explain/tree/search-tree.ts";
import { ALGORITHMS } from "../../../explain/tree/text/steps.ts";
import { isShape, PAINTS, type Paint, type Shape } from "../../../games/contract/picture.ts";
import type { Kind, Questions } from "./messages.ts";

/*
 * The page takes texts from the thread, and shows what has the right shape: a game's code of the user's may return anything.
 */

/** The longest answer that is read. */
const MOST_CHARACTERS = 10_000_000;

const text = z.string();
const number = z.number();
const count = z.int().min(0);
/** A player, or chance and the end below 0. */
const mover = z.int().min(-2).max(99);
const shapes = z.array(z.custom<Shape>(isShape, "must be shapes, with numbers that are finite"));
const value = number.exactOptional();
const depth = number.exactOptional();

const choice = z.object({ action: z.int(), name: text, touches: z.array(count) });

const board = z.object({
  label: text,
  text: text.exactOptional(),
  width: number.min(0),
  height: number.min(0),
  ground: shapes,
  pieces: shapes,
  places: z.array(
    z.object({
      name: text,
      holds: text,
      x: number,
      y: number,
      w: number.min(0),
      h: number.min(0),
      isRound: z.boolean().exactOptional(),
      area: z.object({ x: number, y: number, w: number.min(0), h: number.min(0) }).exactOptional(),
    }),
  ),
  marked: z.array(count),
  won: z.array(count),
});

const position = z
  .object({
    board,
    toMove: mover,
    turn: text,
    choices: z.array(choice),
    moves: z.array(
      z.object({ text, mover, ply: count.exactOptional(), isSetup: z.boolean().exactOptional() }),
    ),
    notation: text,
  })
  .refine(({ board: { places, marked, won }, choices }) => {
    const named = [marked, won, ...choices.map(({ touches }) => touches)];
    return named.flat().every((place) => place < places.length);
  }, "names a place that the board does not have");

/** The value of a node of a search: of one player, or of all. */
const worth = z.union([number, z.array(number)]).nullable();

const node: z.ZodType<SearchNode> = z.object({
  name: text,
  action: z.int(),
  order: count,
  toMove: mover,
  role: z.enum(["max", "min", "mean", "player", "simulated"]),
  depth: number.nullable(),
  value: worth,
  window: z.tuple([number.nullable(), number.nullable()]).exactOptional(),
  leaf: z.enum(["terminal", "evaluated", "table", "usual", "look", "refuted", "unexpanded"]).exactOptional(),
  probability: number.exactOptional(),
  visits: count.exactOptional(),
  proof: z.enum(["win", "loss", "exact"]).exactOptional(),
  bound: number.exactOptional(),
  prior: number.exactOptional(),
  cut: z.object({ bound: z.enum(["alpha", "beta"]), limit: number, value: number }).exactOptional(),
  unseen: z
    .object({ count, names: z.array(text), reason: z.enum(["cut", "usual", "budget", "chance"]) })
    .exactOptional(),
  hidden: count,
  get children() {
    return z.array(node);
  },
});

/** A decision in the game's notation. */
const told = { action: text, value: number.nullable(), depth: number.nullable(), nodes: number };

const SCHEMAS: { readonly [K in Kind]: z.ZodType<Questions[K]["answer"]> } = {
  game: z.object({
    names: z.array(text).min(1).max(100),
    paints: z.array(z.enum(Object.keys(PAINTS) as [Paint])),
    isDuel: z.boolean(),
    isHidden: z.boolean(),
    minReturn: number,
    maxReturn: number,
    below: count.exactOptional(),
    formats: z.array(z.object({ ending: text, summary: text })),
  }),
  position,
  chance: z.object({ action: z.int() }),
  decision: z.object({ ...choice.shape, value, depth, nodes: number }),
  analysis: z.object({
    lines: z.array(z.object({ value, moves: z.array(text) })),
    depth,
    nodes: number,
    isFinal: z.boolean(),
  }),
  opinion: z.object({
    ...told,
    line: z.array(text),
    timeMs: number,
    best: z
      .array(
        z.object({
          value: number,
          visits: count.exactOptional(),
          share: number.exactOptional(),
          prior: number.exactOptional(),
          improved: number.exactOptional(),
          line: z.array(text),
          touches: z.array(count),
        }),
      )
      .exactOptional(),
  }),
  tree: z.object({
    game: text,
    state: text,
    agent: z.enum(Object.keys(ALGORITHMS)),
    player: count,
    decision: z.object({ ...told, line: z.array(text) }),
    iterations: z
      .array(
        z.object({
          depth: number.nullable(),
          simulations: number.nullable(),
          isFinished: z.boolean(),
          nodes: count,
          root: node,
          paths: z.array(z.object({ actions: z.array(z.int()), returns: z.array(number) })).exactOptional(),
        }),
      )
      .min(1),
  }),
  file: z.object({ text }),
};

const reply: z.ZodType<Reply<unknown>> = z.union([
  z.object({ number, failure: z.object({ name: text, message: text }) }),
  z.object({ number, answer: z.unknown().refine((answer) => answer !== undefined) }),
]);

/** A thread's message as data; undefined if it is none. */
export function parseReply(message: unknown): Reply<unknown> | undefined {
  if (typeof message !== "string" || message.length > MOST_CHARACTERS) return undefined;
  try {
    return reply.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

/** An answer of the right shape; throws InputError. */
export function checkAnswer<K extends Kind>(kind: K, answer: unknown): Questions[K]["answer"] {
  try {
    return check<z.ZodType<Questions[K]["answer"]>>(SCHEMAS[kind], answer);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { path, message } = error.problems[0]!;
    throw new InputError(
      `the game's code gives what cannot be shown: ${path === "" ? "it" : path} ${message}`,
    );
  }
}
