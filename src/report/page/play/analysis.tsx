import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Played } from "../../../agents/agent.ts";
import type { TournamentData } from "../data.ts";
import { Select } from "../parts.tsx";
import type { AnalysisData, DecisionData, GameInfo } from "./messages.ts";
import type { Thread } from "./thread.ts";

/** An agent that thinks on and on about the shown position, in a thread of its own, until it is switched off. */
export function Analysis({
  run,
  thread,
  analysts,
  played,
  mover,
  names,
}: {
  run: TournamentData;
  thread: Thread;
  /** The entrants that can be asked, the strongest first. */
  analysts: readonly number[];
  played: Played;
  /** The player to move; below 0 for chance and the end. */
  mover: number;
  names: readonly string[];
}): JSX.Element | null {
  const [isOn, setOn] = useState(false);
  const [analyst, setAnalyst] = useState(analysts[0] ?? 0);
  const [found, setFound] = useState<AnalysisData>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setFound(undefined);
    setProblem("");
    if (!isOn || mover < 0) return;
    let isCurrent = true;
    const think = async () => {
      for (let step = 0; isCurrent; step++) {
        const answer = await thread.ask("analysis", { entrant: analyst, played, step });
        if (!isCurrent) return;
        setFound(answer);
        if (answer.isFinal) return;
      }
    };
    think().catch((error: Error) => {
      if (isCurrent) setProblem(error.message);
    });
    return () => {
      isCurrent = false;
      thread.stop();
    };
  }, [isOn, analyst, played, mover]);
  if (analysts.length === 0) return null;
  return (
    <section class="analysis" aria-label="Analysis">
      <div class="controls">
        <button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
          analyse
        </button>
        <Select
          name="by"
          value={String(analyst)}
          options={analysts.map((entrant) => ({
            value: String(entrant),
            text: run.entrants[entrant]!.name,
          }))}
          onChange={(value) => setAnalyst(Number(value))}
        />
        {isOn && mover >= 0 && found === undefined && problem === "" && <span>thinking…</span>}
      </div>
      {problem !== "" && (
        <p role="alert" class="notices">
          {problem}
        </p>
      )}
      {found !== undefined && (
        <>
          <ol>
            {found.lines.map(({ value, moves }, at) => (
              <li key={at}>
                {value !== undefined && <b>{Number(value.toPrecision(3))} </b>}
                {moves.join(" ")}
              </li>
            ))}
          </ol>
          <p class="faint">
            {searchedText(found)}
            {mover >= 0 &&
              found.lines.some(({ value }) => value !== undefined) &&
              `; values for ${names[mover]}`}
            {found.isFinal && "; this is its last word"}
          </p>
        </>
      )}
    </section>
  );
}

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
function searchedText({ nodes, depth }: Pick<DecisionData, "nodes" | "depth">): string {
  return `${nodes.toLocaleString("en")} nodes${depth === undefined ? "" : `, depth ${depth}`}`;
}
