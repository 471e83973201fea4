import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { createGame } from "../../games/index.ts";
import { possibleActions } from "../../game/notation.ts";
import { addressOf } from "./address.ts";
import { Board, DrawnBoard } from "./board.tsx";
import { Panel } from "./parts.tsx";
import { MomentControls, useMoments } from "./moments.tsx";
import { thoughtsOf, ThoughtText, ValueCurve } from "./thoughts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import { useEntryInView } from "./scroll-and-focus.ts";
import { endingOf, moveList, pairingOf, stateAfter, turnOf } from "./game-text.ts";

/** One game, move by move. */
export function Replay({ run, game: played }: { run: TournamentData; game: GameData }): JSX.Element {
  return (
    <Panel title={pairingOf(run, played)} note={`${endingOf(run, played)}; game ${played.id}`}>
      <p>
        <a href={addressOf(run.folder, "games")}>All games</a>
      </p>
      {run.hasRules ? <Checked run={run} played={played} /> : <Texts run={run} played={played} />}
      {played.detail !== "" && <p class="detail">{played.detail}</p>}
    </Panel>
  );
}

/** A game whose rules the page does not have: its moves, and its positions if they were drawn. */
function Texts({ run, played }: { run: TournamentData; played: GameData }): JSX.Element {
  const { moves = [], drawn, openingLength } = played;
  const moments = useMoments(moves.length, moves.length);
  const { at } = moments;
  if (drawn === undefined) return <p>{moves.join(" ")}</p>;
  const where = at === 0 ? "The start" : `After ${at} of ${moves.length}: ${moves[at - 1]}`;
  return (
    <div class="replay">
      <div>
        <DrawnBoard drawn={drawn} at={at} label={`${run.gameName}, ${where}`} />
        <MomentControls moments={moments} what="position in the game" />
        <p aria-live="polite" class="turn">
          {where} · {drawn.turns[at]}
        </p>
      </div>
      <MoveList moves={moves} openingLength={openingLength} moments={moments} />
    </div>
  );
}

/** A game, after a check that the rules allow its actions: a damaged store may hold others. */
function Checked({ run, played }: { run: TournamentData; played: GameData }): JSX.Element {
  const fits = useMemo(() => canReplay(run, played), [run, played]);
  if (fits) return <Moves run={run} played={played} />;
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

function Moves({ run, played }: { run: TournamentData; played: GameData }): JSX.Element {
  const game = useMemo(() => createGame(run.game), [run]);
  const { actions, openingLength } = played;
  const moves = useMemo(() => moveList(game, actions), [game, actions]);
  const moments = useMoments(actions.length, actions.length);
  const { at } = moments;
  const thoughts = useMemo(() => thoughtsOf(game, played), [game, played]);
  const thought = thoughts[at - 1];
  const state = stateAfter(game, actions, at);
  const before = at > 0 ? stateAfter(game, actions, at - 1) : undefined;
  const last = actions[at - 1];
  const marked =
    before !== undefined && before.toMove >= 0 && last !== undefined
      ? (game.picture?.touches(before, last) ?? [])
      : [];
  return (
    <div class="replay">
      <div>
        <Board game={game} state={state} marked={marked} />
        <MomentControls moments={moments} what="position in the game" />
        <p aria-live="polite" class="turn">
          {at === 0 ? "The start" : `After ${at} of ${actions.length}: ${moves[at - 1]}`} ·{" "}
          {turnOf(game, state)}
        </p>
        <p>
          <a href={addressOf(run.folder, "play", { game: played.id, at: String(at) })}>Play on from here</a>
        </p>
      </div>
      <div>
        {thought !== undefined && (
          <ThoughtText run={run} game={game} played={played} at={at} thought={thought} />
        )}
        <ValueCurve run={run} game={game} played={played} thoughts={thoughts} at={at} />
        <MoveList moves={moves} openingLength={openingLength} moments={moments} />
      </div>
    </div>
  );
}

/** The moves of a game, of which the one before the shown position stands out. */
function MoveList({
  moves,
  openingLength,
  moments: { at, go },
}: {
  moves: readonly string[];
  openingLength: number;
  moments: ReturnType<typeof useMoments>;
}): JSX.Element {
  const list = useEntryInView(at - 1);
  return (
    <ol class="moves" aria-label="Moves" ref={list}>
      {moves.map((move, index) => (
        <li key={index} class={index < openingLength ? "faint" : ""}>
          <button
            type="button"
            aria-current={index === at - 1 ? "step" : undefined}
            onClick={() => go(index + 1)}
          >
            {move}
          </button>
        </li>
      ))}
    </ol>
  );
}
