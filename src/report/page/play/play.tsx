import { createContext, type JSX } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createRandom } from "../../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../game/game.ts";
import { createGame } from "../../../games/index.ts";
import { possibleActions, sampleChance } from "../../../game/notation.ts";
import { Board } from "../board.tsx";
import type { PageData, TournamentData } from "../data.ts";
import { Panel, Select } from "../parts.tsx";
import { useEntryInView, useKeptFocus } from "../scroll-and-focus.ts";
import { moveList, stateAfter, turnOf } from "../game-text.ts";
import { isDuel } from "../../../game/traits.ts";
import { Opponents, type Answer } from "./play-thread.ts";

/** The weights in the page, by hash. */
export const WeightsContext = createContext<PageData["weights"]>({});

const YOU = -1;

/** The time between two moves of agents, so that a person can follow them. */
const PAUSE_MS = 350;

/** Play against the entrants of a run. */
export function Play({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  if (!run.hasRules)
    return <p>The rules of this game are in a file of yours, so the page cannot play it: agon play does.</p>;
  return <PlayedGame key={`${run.folder} ${query.toString()}`} run={run} query={query} />;
}

/** The actions in the address: a stored game up to a position; empty without one. */
function given({ games }: TournamentData, query: URLSearchParams): readonly number[] {
  const game = games.find(({ id }) => id === query.get("game"));
  return game === undefined ? [] : game.actions.slice(0, Number(query.get("at") ?? game.actions.length));
}

function PlayedGame({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  const weights = useContext(WeightsContext);
  const game = useMemo(() => createGame(run.game), [run]);
  const playable = useMemo(() => rankedPlayable(run), [run]);
  const [actions, setActions] = useState<readonly number[]>(() => given(run, query));
  const [seats, setSeats] = useState<readonly number[]>(() => firstSeats(game, playable, actions));
  const [touched, setTouched] = useState<readonly number[]>([]);
  const [evaluation, setEvaluation] = useState<Answer & { entrant: number; mover: number }>();
  const [problem, setProblem] = useState("");
  const [hint, setHint] = useState("");
  const dice = useRef(createRandom("dice", String(performance.now())));
  const opponents = useMemo(
    () => new Opponents({ game: run.game, entrants: run.entrants, weights }),
    [run, weights],
  );
  useEffect(() => () => opponents.close(), [opponents]);

  const state = useMemo(() => stateAfter(game, actions, actions.length), [game, actions]);
  const mover = state.toMove;
  const legal = useMemo(() => (mover >= 0 ? Array.from(possibleActions(game, state)) : []), [game, state]);
  const isYours = mover >= 0 && seats[mover] === YOU;
  const list = useEntryInView(actions.length - 1);
  const [keepFocus, around] = useKeptFocus({ isChoosing: touched.length > 0 });
  const playsOn = (action: number) => {
    keepFocus();
    setTouched([]);
    setHint("");
    setActions([...actions, action]);
  };

  useEffect(() => {
    let isCurrent = true;
    if (mover === CHANCE) {
      setActions([...actions, sampleChance(game, state, dice.current)]);
    } else if (mover >= 0 && seats[mover] !== YOU) {
      const entrant = seats[mover]!;
      const pause = new Promise((resolve) => setTimeout(resolve, seats.includes(YOU) ? 0 : PAUSE_MS));
      void Promise.all([opponents.ask(entrant, actions), pause]).then(([answer]) => {
        if (!isCurrent) return;
        setProblem(answer.error ?? "");
        if (answer.action === undefined) return;
        setEvaluation({ ...answer, entrant, mover });
        setActions([...actions, answer.action]);
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [actions, seats]);

  const touch = (place: number) => {
    keepFocus();
    const next = [...touched, place];
    const fitting = legal.filter((action) => beginsWith(touches(game, state, action), next));
    const exact = fitting.filter((action) => touches(game, state, action).length === next.length);
    if (fitting.length === 1 || (exact.length === 1 && fitting.length === exact.length)) playsOn(fitting[0]!);
    else if (fitting.length > 0) setTouched(next);
    // Another piece than before.
    else if (legal.some((action) => touches(game, state, action)[0] === place)) setTouched([place]);
    else setTouched([]);
  };
  const fitting = isYours ? legal.filter((action) => beginsWith(touches(game, state, action), touched)) : [];
  const open = [...new Set(fitting.map((action) => touches(game, state, action)[touched.length]))].filter(
    (place) => place !== undefined,
  );
  // Pieces that can be taken up instead of the one that was touched.
  const others = isYours && touched.length > 0 ? legal.map((action) => touches(game, state, action)[0]) : [];
  const named = fitting.filter((action) => touches(game, state, action).length <= touched.length);
  const moves = moveList(game, actions);
  const lastMover = actions.length === 0 ? undefined : stateAfter(game, actions, actions.length - 1);
  const marked =
    lastMover !== undefined && lastMover.toMove >= 0 ? touches(game, lastMover, actions.at(-1)!) : [];

  const reply =
    lastMover !== undefined && lastMover.toMove >= 0 && seats[lastMover.toMove] !== YOU
      ? [`player ${lastMover.toMove + 1} played ${moves.at(-1)}`]
      : [];

  const undo = () => {
    keepFocus();
    setTouched([]);
    let count = actions.length - 1;
    while (count > 0) {
      const { toMove } = stateAfter(game, actions, count);
      if (toMove >= 0 && (seats[toMove] === YOU || !seats.includes(YOU))) break;
      count--;
    }
    setActions(actions.slice(0, Math.max(0, count)));
  };
  const beginAnew = () => {
    setTouched([]);
    setHint("");
    setActions([]);
  };
  const adviser = seats.find((seat) => seat !== YOU) ?? playable[0];
  const askForHint = () => {
    if (adviser === undefined) return;
    setHint("thinking…");
    void opponents.ask(adviser, actions).then((answer) => {
      if (answer.action === undefined) return setHint(answer.error ?? "");
      setEvaluation({ ...answer, entrant: adviser, mover });
      return setHint(`${run.entrants[adviser]!.name} would play ${game.formatAction(answer.action, state)}`);
    });
  };

  return (
    <Panel title={`Play ${run.gameName}`}>
      <Seats run={run} seats={seats} onChange={setSeats} />
      <div class="replay" ref={around}>
        <div>
          <Board
            game={game}
            state={state}
            marked={marked}
            touched={touched}
            open={[...new Set([...open, ...others.filter((place) => place !== undefined)])].toSorted(
              (one, other) => one - other,
            )}
            onTouch={touch}
          />
          <p
            aria-live="polite"
            class="turn"
            data-turn={mover === TERMINAL ? "over" : isYours ? "yours" : "theirs"}
          >
            {isYours ? ["Your move", ...reply].join(" · ") : turnOf(game, state)}
            {mover >= 0 &&
              !isYours &&
              problem === "" &&
              ` · ${run.entrants[seats[mover]!]!.name} is thinking`}
          </p>
          {problem !== "" && (
            <p role="alert" class="notices">
              {problem}
            </p>
          )}
          {isYours && (named.length > 0 || open.length === 0) && (
            <div class="choices" role="group" aria-label="Moves to choose from">
              {(named.length > 0 ? named : legal).map((action) => (
                <button key={action} type="button" data-action={action} onClick={() => playsOn(action)}>
                  {game.formatAction(action, state)}
                </button>
              ))}
            </div>
          )}
          <div class="controls">
            <button type="button" onClick={undo} disabled={actions.length === 0}>
              undo
            </button>
            <button type="button" onClick={askForHint} disabled={!isYours || adviser === undefined}>
              hint
            </button>
            <button type="button" onClick={beginAnew}>
              new game
            </button>
            {game.players > 1 && (
              <button type="button" onClick={() => setSeats([...seats.slice(1), seats[0]!])}>
                change sides
              </button>
            )}
          </div>
          {hint !== "" && <p aria-live="polite">{hint}</p>}
          <Evaluation run={run} game={game} evaluation={evaluation} />
        </div>
        <ol class="moves" aria-label="Moves" tabIndex={0} ref={list}>
          {moves.map((move, index) => (
            <li key={index}>{move}</li>
          ))}
        </ol>
      </div>
    </Panel>
  );
}

/** Entrants that the page can play, the strongest first. */
function rankedPlayable({ entrants, report }: TournamentData): number[] {
  return report.entrants
    .map(({ name }) => entrants.findIndex((entrant) => entrant.name === name))
    .filter((entrant) => entrants[entrant]?.misses === undefined);
}

/** The person has the seat to move; the strongest entrant that can play has the others. */
function firstSeats(game: Game, playable: readonly number[], actions: readonly number[]): readonly number[] {
  const { toMove } = stateAfter(game, actions, actions.length);
  const yours = Math.max(0, toMove);
  const best = playable[0];
  return Array.from({ length: game.players }, (_, seat) =>
    seat === yours || best === undefined ? YOU : best,
  );
}

function touches(game: Game, state: State, action: number): readonly number[] {
  return game.picture?.touches(state, action) ?? [];
}

function beginsWith(list: readonly number[], beginning: readonly number[]): boolean {
  return beginning.every((place, at) => list[at] === place);
}

function Seats({
  run,
  seats,
  onChange,
}: {
  run: TournamentData;
  seats: readonly number[];
  onChange: (seats: readonly number[]) => void;
}): JSX.Element {
  const missing = run.entrants.filter(({ misses }) => misses !== undefined);
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {seats.map((chosen, seat) => (
        <Select
          key={seat}
          name={`player ${seat + 1}`}
          value={String(chosen)}
          options={[
            { value: String(YOU), text: "you" },
            ...run.entrants.map(({ name, misses }, entrant) => ({
              value: String(entrant),
              text: name,
              disabled: misses !== undefined,
            })),
          ]}
          onChange={(value) => onChange(seats.with(seat, Number(value)))}
        />
      ))}
      {missing.length > 0 && (
        <details>
          <summary>{missing.length} cannot play here</summary>
          <ul>
            {missing.map(({ name, misses }) => (
              <li key={name}>
                {name}: {misses}
              </li>
            ))}
          </ul>
        </details>
      )}
    </form>
  );
}

/** An agent's expectation, as a bar from the worst to the best return of player 1. */
function Evaluation({
  run,
  game,
  evaluation,
}: {
  run: TournamentData;
  game: Game;
  evaluation: (Answer & { entrant: number; mover: number }) | undefined;
}): JSX.Element | null {
  if (evaluation === undefined) return null;
  const { value, nodes, depth, entrant, mover } = evaluation;
  const searched = `${(nodes ?? 0).toLocaleString("en")} nodes${depth === undefined ? "" : `, depth ${depth}`}`;
  const name = run.entrants[entrant]!.name;
  if (value === undefined) return <p class="faint">{`${name}: no value (${searched})`}</p>;
  const { minReturn, maxReturn } = game;
  const isMirrored = isDuel(game);
  const first = isMirrored && mover === 1 ? 0 - value : value;
  const share = (first - minReturn) / (maxReturn - minReturn);
  const whose = isMirrored ? "player 1" : `player ${mover + 1}`;
  const text = `${name} expects ${Number(first.toPrecision(3))} for ${whose} (${searched})`;
  return (
    <div class="evaluation">
      <div
        class="bar"
        role="meter"
        aria-label={text}
        aria-valuenow={first}
        aria-valuemin={minReturn}
        aria-valuemax={maxReturn}
      >
        <div style={`width:${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%`} />
      </div>
      <p class="faint">{text}</p>
    </div>
  );
}
