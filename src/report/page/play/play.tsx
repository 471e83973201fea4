import { createContext, type JSX, Component, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { CHANCE } from "../../../games/contract/rules.ts";
import { turnedBoard } from "../board-data.ts";
import { Board } from "../board.tsx";
import type { PageData, TournamentData } from "../data.ts";
import { MoveList } from "../move-list.tsx";
import { Panel } from "../parts.tsx";
import { PERSON, playAddress, playedIn } from "./address.ts";
import { Analysis, Evaluation } from "./analysis.tsx";
import { drag, namedChoices, openPlaces, touch, type Chosen, useDirections } from "./choosing.ts";
import type { GameInfo } from "./messages.ts";
import { Saving } from "./saving.tsx";
import { Seats } from "./seats.tsx";
import { Thread } from "./thread.ts";
import { NO_MOVES, useGame, type Begin, type Threads } from "./use-game.ts";

/** The weights in the page, by hash. */
export const WeightsContext = createContext<PageData["weights"]>({});

/** Play against the entrants of a run. */
export function Play({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  if (!run.hasRules && run.code === undefined)
    return (
      <p>
        The rules of this game are in a file of yours. <code>agon play</code> plays it, and so does a page
        that <code>agon report --with-code</code> makes.
      </p>
    );
  const key = `${run.folder} ${query.toString()}`;
  return (
    <Panel title={`Play ${run.gameName}`}>
      <Guard key={key}>
        <WithThreads key={key} run={run} query={query} />
      </Guard>
    </Panel>
  );
}

/** Starts the threads, asks them what game it is, and checks the game in the address. */
function WithThreads({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  const weights = useContext(WeightsContext);
  // A run that goes on is sent again and again; its game and its entrants stay.
  const [threads] = useState((): Threads => {
    const setup = { game: run.game, entrants: run.entrants, weights };
    const start = () => new Thread(setup, run.code);
    return { rules: start(), agents: start(), analysis: start() };
  });
  const [begin, setBegin] = useState<Begin>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const ask = async () => {
      const info = await threads.rules.ask("game", {});
      const played = playedIn(run, query) ?? NO_MOVES;
      const wrong = await threads.rules.ask("position", { played }).then(
        () => "",
        (error: Error) => `The game in the address cannot be shown: ${error.message}`,
      );
      setBegin({ info, played: wrong === "" ? played : NO_MOVES, problem: wrong });
    };
    ask().catch((error: Error) => setProblem(error.message));
    return () => Object.values(threads).forEach((thread: Thread) => thread.stop());
  }, [threads]);
  if (problem !== "")
    return (
      <p role="alert" class="notices">
        {problem}
      </p>
    );
  if (begin === undefined) return <p aria-busy="true">The board is being set up…</p>;
  return <PlayedGame run={run} query={query} threads={threads} begin={begin} />;
}

function PlayedGame({
  run,
  query,
  threads,
  begin,
}: {
  run: TournamentData;
  query: URLSearchParams;
  threads: Threads;
  begin: Begin;
}): JSX.Element {
  const game = useGame(run, query, { threads, begin });
  if (game.position === undefined) return <p aria-busy="true">{game.problem}</p>;
  return <Table run={run} threads={threads} info={begin.info} game={game} />;
}

interface TableProps {
  readonly run: TournamentData;
  readonly threads: Threads;
  readonly info: GameInfo;
  readonly game: Extract<ReturnType<typeof useGame>, { played: unknown }>;
}

/** The board and all that stands around it. */
function Table({ run, threads, info, game }: TableProps): JSX.Element {
  const { names, below } = info;
  const { played, shown, shownPlay, viewed, seats, problem, hint } = game;
  const [turnedFor, setTurnedFor] = useState<{ seats: readonly number[]; isTurned: boolean }>();
  const persons = seats.filter((seat) => seat === PERSON).length;
  const sitsAbove = below !== undefined && persons === 1 && seats[below] !== PERSON;
  // Who sits down anew sees the board from there.
  const isTurned = turnedFor?.seats === seats ? turnedFor.isTurned : sitsAbove;
  return (
    <>
      <Seats run={run} names={names} seats={seats} onChange={game.changeSeats} />
      <div class="replay" ref={game.around}>
        <div>
          <PlayedBoard game={game} isTurned={isTurned} />
          <Turn run={run} info={info} game={game} persons={persons} />
          {problem !== "" && (
            <p role="alert" class="notices">
              {problem}
            </p>
          )}
          <NamedChoices game={game} />
          {viewed !== undefined && (
            <div class="controls">
              {!info.isHidden && (
                <button type="button" onClick={() => game.play(shownPlay)}>
                  play on from here
                </button>
              )}
              <button type="button" onClick={() => game.view(played.actions.length)}>
                back to the game
              </button>
            </div>
          )}
          <div class="controls">
            {!info.isHidden && (
              <button type="button" onClick={game.undo} disabled={played.actions.length === 0}>
                undo
              </button>
            )}
            <button type="button" onClick={game.askForHint} disabled={game.askForHint === undefined}>
              hint
            </button>
            <button type="button" onClick={() => game.play(NO_MOVES)}>
              new game
            </button>
            {names.length > 1 && (
              <button type="button" onClick={() => game.changeSeats([...seats.slice(1), seats[0]!])}>
                change sides
              </button>
            )}
            {below !== undefined && (
              <button
                type="button"
                aria-pressed={isTurned}
                onClick={() => setTurnedFor({ seats, isTurned: !isTurned })}
              >
                turn the board
              </button>
            )}
          </div>
          {hint !== undefined && <p aria-live="polite">{hint.text}</p>}
          <Evaluation info={info} opinion={game.opinion} />
        </div>
        <div>
          <MoveList
            moves={game.position.moves}
            at={viewed ?? played.actions.length}
            go={(to) => game.view(to)}
          />
          <Analysis
            run={run}
            thread={threads.analysis}
            analysts={game.playable}
            played={shownPlay}
            mover={
              game.isHidden && !game.isYours
                ? CHANCE
                : viewed === undefined
                  ? (game.mover ?? CHANCE)
                  : shown.toMove
            }
            names={names}
          />
          {!game.isHidden && (
            <Saving
              rules={threads.rules}
              info={info}
              played={played}
              names={seats.map((seat) => (seat === PERSON ? "person" : run.entrants[seat]!.name))}
              notation={shown.notation}
              fileName={run.folder}
              link={playAddress(run, played, seats)}
              onSetUp={(from) => game.play({ ...NO_MOVES, from })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** The board, on which a person chooses by touches, by drawing pieces, or by directions. */
function PlayedBoard({ game, isTurned }: Pick<TableProps, "game"> & { isTurned: boolean }): JSX.Element {
  const { choices, touched, shown, viewed, hint } = game;
  const swipes = useDirections(choices, game.choose);
  const take = (chosen: Chosen) =>
    "action" in chosen ? game.choose(chosen.action) : game.touch(chosen.touched);
  return (
    <div {...swipes}>
      <Board
        board={isTurned ? turnedBoard(shown.board) : shown.board}
        touched={touched}
        open={openPlaces(choices, touched)}
        hinted={viewed === undefined ? (hint?.places ?? []) : []}
        onTouch={(place) => take(touch(choices, touched, place))}
        {...(choices.some(({ touches }) => touches.length > 1) && {
          onDrag: (from, to) => take(drag(choices, touched, [from, to])),
        })}
      />
    </div>
  );
}

/** Who is to move, or the result. */
function Turn({
  run,
  info: { names },
  game,
  persons,
}: Omit<TableProps, "threads"> & { persons: number }): JSX.Element {
  const { position, shown, viewed, played, seats, mover, isYours, problem } = game;
  const last = position.moves.at(-1);
  const answers = last !== undefined && last.mover >= 0 && seats[last.mover] !== PERSON;
  const texts =
    viewed !== undefined
      ? [`After ${viewed} of ${played.actions.length}`, shown.turn]
      : isYours
        ? [
            persons > 1 ? position.turn : "Your move",
            ...(answers ? [`${names[last.mover]!} played ${last.text}`] : []),
          ]
        : [position.turn];
  const isThinking = mover !== undefined && mover >= 0 && !isYours && problem === "";
  return (
    <p
      aria-live="polite"
      class="turn"
      data-turn={
        isYours ? "yours" : mover === undefined || mover >= 0 || mover === CHANCE ? "theirs" : "over"
      }
    >
      {[...texts, ...(isThinking ? [`${run.entrants[seats[mover]!]!.name} is thinking`] : [])].join(" · ")}
    </p>
  );
}

/** Actions that are chosen by their names: they have no places, or share them with others. */
function NamedChoices({
  game: { isYours, viewed, choices, touched, choose },
}: Pick<TableProps, "game">): JSX.Element | null {
  const named = isYours && viewed === undefined ? namedChoices(choices, touched) : [];
  if (named.length === 0) return null;
  return (
    <div class="choices" role="group" aria-label="Moves to choose from">
      {named.map(({ action, name }) => (
        <button key={action} type="button" data-action={action} onClick={() => choose(action)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** Shows a sentence in place of what cannot be drawn: answers of the user's code may contradict each other. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly problem: string }> {
  static override getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override state: { readonly problem: string } = { problem: "" };

  override render(): ComponentChildren {
    const { problem } = this.state;
    if (problem === "") return this.props.children;
    return (
      <p role="alert" class="notices">
        The game cannot be shown any longer: {problem}
      </p>
    );
  }
}
