import type { JSX } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import type { Played } from "../../agents/agent.ts";
import { formatValue } from "../../explain/tree/text/text.ts";
import { ALGORITHMS } from "../../explain/tree/text/steps.ts";
import { formatPercent } from "../../base/text.ts";
import { bestActionsSection } from "../../ratings/sections/best-actions.ts";
import { addressOf } from "./address.ts";
import type { Mark } from "./board.tsx";
import type { GameData, TournamentData } from "./data.ts";
import { Select } from "./parts.tsx";
import type { OpinionData, Questions } from "./play/messages.ts";
import { WeightsContext } from "./play/play.tsx";
import { rankedPlayable } from "./play/seats.tsx";
import { Thread } from "./play/thread.ts";
import { SectionTable } from "./section-table.tsx";
import { SearchTreeView } from "./search-tree.tsx";

/** The position after the first `at` actions of a stored game. */
interface Position {
  readonly run: TournamentData;
  readonly game: GameData;
  readonly at: number;
}

/** The figures of an action that may be marked on the board. */
const FIGURES = { prior: "prior", share: "visits", improved: "improved policy" } as const;
type Figure = keyof typeof FIGURES;

/**
 * The opinions of two agents on a position of a game, side by side: their moves, with links to their searches.
 * @param onMarks takes what is to be marked on the board; it must stay the same function
 */
export function Opinions({
  onMarks,
  ...position
}: Position & { onMarks: (marks: readonly Mark[]) => void }): JSX.Element | null {
  const { run, game } = position;
  const playable = useMemo(() => rankedPlayable(run), [run]);
  const [isOn, setOn] = useState(false);
  const [chosen, setChosen] = useState(() => {
    const seated = game.seats.filter((entrant) => playable.includes(entrant));
    return [...new Set([...seated, ...playable])].slice(0, 2);
  });
  const [marked, setMarked] = useState<{ readonly at: number; readonly figure: Figure }>();
  if (playable.length === 0) return null;
  const options = playable.map((entrant) => ({ value: String(entrant), text: run.entrants[entrant]!.name }));
  return (
    <section aria-label="Opinions">
      <div class="controls">
        <button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
          {chosen.length === 1 ? "ask an agent" : "ask two agents"}
        </button>
      </div>
      {isOn && (
        <div class="opinions" aria-live="polite">
          {chosen.map((entrant, at) => (
            <div key={at}>
              <Select
                name="agent"
                value={String(entrant)}
                options={options}
                onChange={(value) => setChosen(chosen.with(at, Number(value)))}
              />
              <Opinion
                {...position}
                entrant={entrant}
                figure={isOn && marked?.at === at ? marked.figure : undefined}
                onFigure={(figure) => setMarked(figure && { at, figure })}
                onMarks={onMarks}
              />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

/** What one agent would play, and why. */
function Opinion({
  entrant,
  figure,
  onFigure,
  onMarks,
  ...position
}: Position & {
  entrant: number;
  /** The figure that is marked on the board; undefined for none of this agent. */
  figure: Figure | undefined;
  onFigure: (figure: Figure | undefined) => void;
  onMarks: (marks: readonly Mark[]) => void;
}): JSX.Element {
  const { answer, problem } = useAnswer("opinion", position, entrant);
  useEffect(() => {
    if (figure === undefined || answer?.best === undefined) return;
    const marks = answer.best.map(({ line, touches, ...one }) => ({
      touches,
      share: one[figure] ?? 0,
      name: `${line[0]}: ${formatPercent(one[figure] ?? 0)}%`,
    }));
    onMarks(marks);
    return () => onMarks([]);
  }, [answer, figure]);
  if (answer === undefined) return <NoAnswer problem={problem} />;
  const { run, game, at } = position;
  const { name, spec } = run.entrants[entrant]!;
  const { action, value, depth, nodes, line, best } = answer;
  const searched = `${nodes.toLocaleString("en")} nodes${depth === null ? "" : `, depth ${depth}`}`;
  return (
    <>
      <p>
        <b>{action}</b>
        {value !== null && `, value ${formatValue(value)}`}
        <br />
        <span class="faint">{searched}</span>
        {line.length > 1 && (
          <>
            <br />
            <span class="faint">expected</span> {line.join(" ")}
          </>
        )}
      </p>
      {best !== undefined && <Best best={best} folder={run.folder} figure={figure} onFigure={onFigure} />}
      {Object.hasOwn(ALGORITHMS, spec.agent) && (
        <p>
          <a href={addressOf(run.folder, "games", { game: game.id, at: String(at), tree: name })}>
            Its search tree
          </a>
        </p>
      )}
    </>
  );
}

/** The actions that a search has simulated, with a choice of the figure that is marked on the board. */
function Best({
  best,
  folder,
  figure,
  onFigure,
}: {
  best: NonNullable<OpinionData["best"]>;
  folder: string;
  figure: Figure | undefined;
  onFigure: (figure: Figure | undefined) => void;
}): JSX.Element {
  const figures = (Object.keys(FIGURES) as Figure[]).filter((one) => best[0]?.[one] !== undefined);
  return (
    <>
      {best.some(({ touches }) => touches.length > 0) && (
        <Select
          name="on the board"
          value={figure ?? ""}
          options={[
            { value: "", text: "nothing" },
            ...figures.map((one) => ({ value: one, text: FIGURES[one] })),
          ]}
          onChange={(value) => onFigure(value === "" ? undefined : (value as Figure))}
        />
      )}
      <SectionTable section={bestActionsSection(best)} folder={folder} label="Its actions" />
    </>
  );
}

/** The search of an agent in a position of a game, step by step. */
export function GameTree({ name, ...position }: Position & { name: string }): JSX.Element {
  const { run, game, at } = position;
  const { answer, problem } = useAnswer(
    "tree",
    position,
    run.entrants.findIndex((entrant) => entrant.name === name),
  );
  return (
    <>
      <p>
        <a href={addressOf(run.folder, "games", { game: game.id, at: String(at) })}>Back to the game</a>
      </p>
      {answer === undefined ? <NoAnswer problem={problem} /> : <SearchTreeView tree={answer} name={name} />}
    </>
  );
}

function NoAnswer({ problem }: { problem: string }): JSX.Element {
  if (problem === "") return <p aria-busy="true">thinking…</p>;
  return (
    <p role="alert" class="notices">
      {problem}
    </p>
  );
}

/** The answer of a thread to a question about a position; undefined until it has come. */
function useAnswer<K extends "opinion" | "tree">(
  kind: K,
  { run, game, at }: Position,
  entrant: number,
): { answer?: Questions[K]["answer"]; problem: string } {
  const weights = useContext(WeightsContext);
  const [thread] = useState(() => new Thread({ game: run.game, entrants: run.entrants, weights }, run.code));
  const [found, setFound] = useState<{ answer?: Questions[K]["answer"]; problem: string }>();
  useEffect(() => {
    setFound(undefined);
    let isCurrent = true;
    const tell = (result: NonNullable<typeof found>) => {
      if (isCurrent) setFound(result);
    };
    const played: Played = { actions: game.actions.slice(0, at) };
    thread.ask(kind, { entrant, played }).then(
      (answer) => tell({ answer, problem: "" }),
      (error: Error) => tell({ problem: error.message }),
    );
    return () => {
      isCurrent = false;
      thread.stop();
    };
  }, [kind, game, at, entrant]);
  return found ?? { problem: "" };
}
