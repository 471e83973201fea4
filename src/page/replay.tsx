import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { createGame } from "../games/index.ts";
import { possibleActions } from "../games/notation.ts";
import { addressOf } from "./address.ts";
import { Board } from "./board.tsx";
import { Panel } from "./charts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import { useEntryInView } from "./follow.ts";
import { endingOf, moveList, pairingOf, stateAfter, turnOf } from "./game-text.ts";

/** One game, move by move. */
export function Replay({ run, game: played }: { run: TournamentData; game: GameData }): JSX.Element {
  return (
    <Panel title={pairingOf(run, played)} note={`${endingOf(run, played)}; game ${played.id}`}>
      <p>
        <a href={addressOf(run.folder, "games")}>All games</a>
      </p>
      {run.hasRules ? <Checked run={run} played={played} /> : <Texts played={played} />}
      {played.detail !== "" && <p class="detail">{played.detail}</p>}
    </Panel>
  );
}

/** A game whose rules the page does not have. */
function Texts({ played }: { played: GameData }): JSX.Element {
  return <p>{(played.moves ?? []).join(" ")}</p>;
}

/** A game whose actions can be played; a damaged store may have others. */
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
  const [at, setAt] = useState(actions.length);
  const list = useEntryInView(at - 1);
  const go = (to: number) => setAt(Math.max(0, Math.min(actions.length, to)));
  useEffect(() => {
    const keys: Readonly<Record<string, () => number>> = {
      ArrowLeft: () => at - 1,
      ArrowRight: () => at + 1,
      Home: () => 0,
      End: () => actions.length,
    };
    const follow = (event: KeyboardEvent) => {
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      const to = isField || event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key]?.();
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    };
    addEventListener("keydown", follow);
    return () => removeEventListener("keydown", follow);
  });
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
        <div class="controls">
          <button type="button" onClick={() => go(0)} aria-label="to the start">
            |◀
          </button>
          <button type="button" onClick={() => go(at - 1)} aria-label="one back">
            ◀
          </button>
          <input
            type="range"
            min="0"
            max={actions.length}
            value={at}
            aria-label="position in the game"
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          <button type="button" onClick={() => go(at + 1)} aria-label="one on">
            ▶
          </button>
          <button type="button" onClick={() => go(actions.length)} aria-label="to the end">
            ▶|
          </button>
        </div>
        <p aria-live="polite" class="turn">
          {at === 0 ? "The start" : `After ${at} of ${actions.length}: ${moves[at - 1]}`} ·{" "}
          {turnOf(game, state)}
        </p>
        <p>
          <a href={addressOf(run.folder, "play", { game: played.id, at: String(at) })}>Play on from here</a>
        </p>
      </div>
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
    </div>
  );
}
