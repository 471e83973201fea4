/*
 * Thoughts of agents, as stored games keep them. The text of a game's thoughts has one entry for each decision:
 * `value/depth/nodes/ms/a b c`, with `;` between two of them.
 */

/** The thought of an agent at one decision of a game. */
export interface Thought {
  /** Expected return for the player to move, in the game's units; absent if the agent gave none. */
  readonly value?: number;
  /** In plies, as the agent counts them; absent if it gave none. */
  readonly depth?: number;
  /** Positions visited, or simulations, as in a decision. */
  readonly nodes: number;
  readonly timeMs: number;
  /**
   * Principal variation: the action and the play that the agent expected after it, at most MAX_LINE actions. Empty where
   * the agent expected nothing. The actions need not be legal.
   */
  readonly line: readonly number[];
}

/** Principal variations are kept up to this many actions. */
export const MAX_LINE = 16;

/** The text of a game's thoughts; empty if there are none. */
export function formatThoughts(thoughts: readonly Thought[]): string {
  if (thoughts.length === 0) return "";
  return thoughts
    .map(
      ({ value, depth, nodes, timeMs, line }) =>
        `${value ?? ""}/${depth ?? ""}/${nodes}/${timeMs}/${line.join(" ")}`,
    )
    .join(";");
}

const AMOUNT = String.raw`\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const ENTRY = new RegExp(String.raw`^(-?${AMOUNT})?/(\d+)?/(${AMOUNT})/(${AMOUNT})/((?:-?\d+(?: -?\d+)*)?)$`);

/**
 * The thoughts of a text that `formatThoughts` wrote.
 * @param refuse makes the error to throw from an entry that is no thought
 */
export function parseThoughts(text: string, refuse: (entry: string) => Error): Thought[] {
  if (text === "") return [];
  return text.split(";").map((entry) => {
    const parts = ENTRY.exec(entry);
    if (parts === null) throw refuse(entry);
    const [value, depth] = [numberOf(parts[1]), numberOf(parts[2])];
    const [nodes, timeMs] = [Number(parts[3]), Number(parts[4])];
    const line = parts[5] === "" ? [] : parts[5]!.split(" ").map(Number);
    const isOne = isNumber(value ?? 0) && isNumber(depth ?? 0) && isNumber(nodes) && isNumber(timeMs);
    if (!isOne || !line.every(isNumber)) throw refuse(entry);
    // Spreading would take most of the time: a coordinator reads thousands of games a second.
    if (value !== undefined && depth !== undefined) return { value, depth, nodes, timeMs, line };
    return {
      ...(value !== undefined && { value }),
      ...(depth !== undefined && { depth }),
      nodes,
      timeMs,
      line,
    };
  });
}

function isNumber(value: number): boolean {
  return Number.isFinite(value);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
