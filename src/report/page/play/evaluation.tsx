import type { JSX } from "preact";
import type { DecisionData, GameInfo } from "./messages.ts";

/** An agent's expectation of a position. */
export interface Opinion extends Pick<DecisionData, "value" | "depth" | "nodes"> {
  /** The agent's name, and the player it thought for. */
  readonly name: string;
  readonly mover: number;
}

/** An agent's expectation in words; between two opposed players also as a bar from the worst to the best of the first one. */
export function Evaluation({
  info,
  opinion,
}: {
  info: GameInfo;
  opinion: Opinion | undefined;
}): JSX.Element | null {
  if (opinion === undefined) return null;
  const { value, name, mover } = opinion;
  const searched = searchedText(opinion);
  if (value === undefined) return <p class="faint">{`${name}: no value (${searched})`}</p>;
  const { minReturn, maxReturn, isDuel, names, paints } = info;
  const first = isDuel && mover === 1 ? 0 - value : value;
  const whose = names.length === 1 ? "" : ` for ${names[isDuel ? 0 : mover]!}`;
  const text = `${name} expects ${Number(first.toPrecision(3))}${whose} (${searched})`;
  const share = Math.max(0, Math.min(1, (first - minReturn) / (maxReturn - minReturn)));
  return (
    <div class="evaluation">
      {isDuel && (
        <div
          class="bar"
          role="meter"
          aria-label={text}
          aria-valuenow={first}
          aria-valuemin={minReturn}
          aria-valuemax={maxReturn}
          style={`background:var(--paint-${paints[1]!})`}
        >
          <div style={`background:var(--paint-${paints[0]!});width:${(100 * share).toFixed(1)}%`} />
        </div>
      )}
      <p class="faint">{text}</p>
    </div>
  );
}

/** The work of a search in words. */
export function searchedText({ nodes, depth }: Pick<DecisionData, "nodes" | "depth">): string {
  return `${nodes.toLocaleString("en")} nodes${depth === undefined ? "" : `, depth ${depth}`}`;
}
