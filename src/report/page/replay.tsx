import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { createGame } from "../../games/index.ts";
import { TERMINAL, type Game } from "../../games/contract/game.ts";
import { legalLine, possibleActions } from "../../games/contract/notation.ts";
import { readDetail } from "../../ratings/warnings/forfeits.ts";
import { addressOf, useAddress } from "./address.ts";
import { Board, type Mark } from "./board.tsx";
import { boardDrawn, boardOf, type BoardData } from "./board-data.ts";
import { GameClocks } from "./clocks.tsx";
import { MoveList } from "./move-list.tsx";
import { LastLines, Panel, Select } from "./parts.tsx";
import { MomentControls, PlaysItself, useMoments } from "./moments.tsx";
import { Opinions } from "./opinions.tsx";
import { thoughtsOf, ThoughtText, ValueCurve } from "./thoughts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import {
  contestOf,
  lastDecision,
  movesFrom,
  outcomeOf,
  pairingOf,
  stateAfter,
  turnOf,
  type Contest,
  type MoveData,
} from "./game-text.ts";

/** One game, move by move, from the position after `start` actions on. */
export function Replay({
  run,
  game: played,
  start,
}: {
  run: TournamentData;
  game: GameData;
  start: number;
}): JSX.Element {
  const fits = useMemo(() => run.hasRules && canReplay(run, played), [run, played]);
  const reason = useMemo(() => (fits ? reasonIn(run, played) : undefined), [fits, run, played]);
  return (
    <Panel title={pairingOf(run, played)} note={`${outcomeOf(run, played, reason)}; game ${played.id}`}>
      <p>
        <a href={addressOf(run.folder, "games")}>All games</a>
      </p>
      {run.hasRules ? (
        <Checked run={run} played={played} start={start} fits={fits} />
      ) : (
        <Drawn run={run} played={played} start={start} />
      )}
      <Detail of={played.detail} />
    </Panel>
  );
}

interface ReplayProps {
  readonly run: TournamentData;
  readonly played: GameData;
  /** The number of actions before the position that is shown first. */
  readonly start: number;
}

/** The sentence about a forfeit or an adjudication, with the last lines of the dialogue folded below. */
function Detail({ of }: { of: string }): JSX.Element | null {
  const { reason, lines } = readDetail(of);
  if (of === "") return null;
  return (
    <div>
      <p class="detail">{reason}</p>
      <LastLines of={lines} />
    </div>
  );
}

/** A game whose rules the page does not have: its moves, and its positions if they were drawn. */
function Drawn({ run, played, start }: ReplayProps): JSX.Element {
  const { moves = [], drawn } = played;
  if (drawn === undefined) return <p>{moves.join(" ")}</p>;
  const shown: Shown = {
    moves: moves.map((text, at) => ({ text, mover: drawn.movers[at]! })),
    contest: drawn,
    viewers: [],
    board: (at, label) => boardDrawn(drawn, at, `${run.gameName}, ${label}`),
    turn: (at) => drawn.turns[at]!,
    line: () => [],
  };
  return <Moves run={run} played={played} start={start} shown={shown} isPlayable={run.code !== undefined} />;
}

function PlayOn({ run, played, at }: { run: TournamentData; played: GameData; at: number }): JSX.Element {
  const address = addressOf(run.folder, "play", { game: played.id, at: String(at) });
  return (
    <p>
      <a href={address}>Play on from here</a>
    </p>
  );
}

/** A game, after a check that the rules allow its actions: a damaged store may hold others. */
function Checked({ fits, ...props }: ReplayProps & { fits: boolean }): JSX.Element {
  if (fits) return <Ruled {...props} />;
  return (
    <p class="notices">Its actions do not fit the rules, so it cannot be shown: the store is damaged.</p>
  );
}

function canReplay({ game: spec }: TournamentData, { actions }: GameData): boolean {
  const game = createGame(spec);
  const state = game.start();
  return actions.every((action) => {
    const isPossible = possibleActions(game, state).includes(action);
    if (isPossible) state.apply(action);
    return isPossible;
  });
}

/** The reason for which the rules ended a game; undefined if they did not, or the result says enough. */
function reasonIn(run: TournamentData, { actions }: GameData): string | undefined {
  const game = createGame(run.game);
  const state = stateAfter(game, actions, actions.length);
  return state.toMove === TERMINAL ? game.describeEnding?.(state) : undefined;
}

/** A game whose rules the page has. */
function Ruled({ run, played, start }: ReplayProps): JSX.Element {
  const shown = useMemo((): Shown => {
    const game = createGame(run.game);
    const { actions } = played;
    const contest = contestOf(game, actions);
    const state = (at: number) => stateAfter(game, actions, at);
    return {
      moves: movesFrom(game, game.start(), actions),
      contest,
      viewers: game.hiddenInformation ? contest.names : [],
      board: (at, _, viewer) =>
        boardOf(game, state(at), lastTouched(game, actions, lastDecision(contest.movers, at)), viewer),
      turn: (at) => turnOf(game, state(at)),
      line: (at, line) => legalLine(game, state(at), line),
    };
  }, [run, played]);
  return <Moves run={run} played={played} start={start} shown={shown} isPlayable />;
}

/** The places of the action at `index`; none before the first. */
function lastTouched(game: Game, actions: readonly number[], index: number): readonly number[] {
  if (index < 0) return [];
  return game.picture?.touches(stateAfter(game, actions, index), actions[index]!) ?? [];
}

/** The parts of a game that the page shows, from its rules or as drawn before. */
interface Shown {
  readonly moves: readonly MoveData[];
  readonly contest: Contest;
  /** The players whose views can be shown; none where nothing is hidden, or without the rules. */
  readonly viewers: readonly string[];
  /** The position after `at` actions, as a player saw it, or with all open. */
  readonly board: (at: number, label: string, viewer: number | undefined) => BoardData;
  /** The player to move there, or the result. */
  readonly turn: (at: number) => string;
  /** Actions that an agent expected there, as text. */
  readonly line: (at: number, line: readonly number[]) => readonly string[];
}

/** @param isPlayable true if agents can be asked for moves here */
function Moves({
  run,
  played,
  start,
  shown,
  isPlayable,
}: ReplayProps & { shown: Shown; isPlayable: boolean }): JSX.Element {
  const { moves, contest } = shown;
  const moments = useMoments(moves.length, start);
  const [viewer, setViewer] = useState<number>();
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const { at } = moments;
  useAddress(addressOf(run.folder, "games", { game: played.id, at: String(at) }));
  const thoughts = useMemo(() => thoughtsOf(contest, played), [contest, played]);
  const thought = thoughts[at - 1];
  const where = at === 0 ? "The start" : `After ${at} of ${moves.length}: ${moves[at - 1]!.text}`;
  return (
    <div class="replay">
      <div>
        <GameClocks run={run} played={played} contest={contest} at={at} />
        <Board board={shown.board(at, where, viewer)} marks={marks} />
        {shown.viewers.length > 0 && (
          <Select
            name="as seen by"
            value={String(viewer ?? "")}
            options={[
              { value: "", text: "all" },
              ...shown.viewers.map((text, player) => ({ value: String(player), text })),
            ]}
            onChange={(value) => setViewer(value === "" ? undefined : Number(value))}
          />
        )}
        <MomentControls moments={moments} what="position in the game">
          <PlaysItself moments={moments} />
        </MomentControls>
        <p aria-live="polite" class="turn">
          {where} · {shown.turn(at)}
        </p>
        {isPlayable && <PlayOn run={run} played={played} at={at} />}
        {isPlayable && contest.movers[at]! >= 0 && (
          <Opinions run={run} game={played} at={at} onMarks={setMarks} />
        )}
      </div>
      <div>
        {thought !== undefined && (
          <ThoughtText run={run} played={played} thought={thought} line={shown.line(at - 1, thought.line)} />
        )}
        <ValueCurve run={run} contest={contest} played={played} thoughts={thoughts} moments={moments} />
        <MoveList moves={moves} openingLength={played.openingLength} at={at} go={moments.go} />
      </div>
    </div>
  );
}
