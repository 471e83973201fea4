import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Played } from "../../../agents/agent.ts";
import { CHANCE } from "../../../game/rules.ts";
import type { TournamentData } from "../data.ts";
import { useKeptFocus } from "../scroll-and-focus.ts";
import { PERSON, playAddress, seatsIn } from "./address.ts";
import type { Opinion } from "./evaluation.tsx";
import type { Choice, GameInfo, PositionData } from "./messages.ts";
import { rankedPlayable } from "./seats.tsx";
import type { Thread } from "./thread.ts";

/** The time between two moves of agents, so that a person can follow them. */
const PAUSE_MS = 350;

/** The threads of a game: agents may think long, and the rules answer meanwhile. */
export interface Threads {
  readonly rules: Thread;
  readonly agents: Thread;
  readonly analysis: Thread;
}

/** The game that a page begins with. */
export interface Begin {
  readonly info: GameInfo;
  readonly played: Played;
  /** The reason why it is not the game in the address; empty if it is. */
  readonly problem: string;
}

export const NO_MOVES: Played = { actions: [] };

/** A game that is played in the page. */
interface PlayingGame {
  readonly played: Played;
  readonly position: PositionData;
  /** The position that is looked at: the last one, or an earlier one with `viewed` moves before it. */
  readonly shown: PositionData;
  readonly shownPlay: Played;
  readonly viewed: number | undefined;
  readonly view: (count: number) => void;
  /** By player: an entrant's index, or a person. */
  readonly seats: readonly number[];
  readonly changeSeats: (seats: readonly number[]) => void;
  /** The entrants that can play here, the strongest first. */
  readonly playable: readonly number[];
  /** The player to move, below 0 for chance and the end; undefined until the rules have answered. */
  readonly mover: number | undefined;
  readonly isYours: boolean;
  /** The actions that a person can choose now. */
  readonly choices: readonly Choice[];
  /** The places that are touched for an action so far. */
  readonly touched: readonly number[];
  readonly touch: (places: readonly number[]) => void;
  readonly choose: (action: number) => void;
  /** Goes on with another play, such as an earlier part of this one. */
  readonly play: (next: Played) => void;
  readonly undo: () => void;
  readonly hint: { readonly text: string; readonly places: readonly number[] } | undefined;
  /** Asks an agent for a hint; absent if there is none to ask. */
  readonly askForHint?: () => void;
  readonly opinion: Opinion | undefined;
  /** A fault in words; empty without one. */
  readonly problem: string;
  /** For the element around the board, which keeps the focus. */
  readonly around: RefObject<HTMLDivElement | null>;
}

/** Plays a game: asks the rules for positions, chance for its outcomes and agents for their moves. */
export function useGame(
  run: TournamentData,
  query: URLSearchParams,
  { threads, begin }: { threads: Threads; begin: Begin },
): PlayingGame | { readonly problem: string; readonly position?: undefined } {
  const players = begin.info.names.length;
  const playable = useMemo(() => rankedPlayable(run), [run]);
  const [problem, setProblem] = useState(begin.problem);
  const [played, setPlayed] = useState<Played>(begin.played);
  const [chosenSeats, setSeats] = useState(() => seatsIn(run, query, players));
  const [viewed, setViewed] = useState<number>();
  const [touched, setTouched] = useState<readonly number[]>([]);
  const [opinion, setOpinion] = useState<Opinion>();
  const [hint, setHint] = useState<PlayingGame["hint"]>();
  const seed = useRef(String(performance.now()));
  const isAsking = useRef(false);
  const [keepFocus, around] = useKeptFocus({ isChoosing: touched.length > 0 });

  const { position, isCurrent } = usePosition(threads.rules, played, setProblem);
  const earlier = useMemo(
    () => (viewed === undefined ? undefined : { ...played, actions: played.actions.slice(0, viewed) }),
    [played, viewed],
  );
  const { position: looked } = usePosition(threads.rules, earlier, setProblem);
  const mover = isCurrent ? position!.toMove : undefined;
  const seats = useMemo(
    () => chosenSeats ?? firstSeats(players, playable, position?.toMove ?? 0),
    [chosenSeats, position !== undefined],
  );
  const hasPersons = seats.includes(PERSON);

  const goOn = (action: number) => setPlayed({ ...played, actions: [...played.actions, action] });
  const ask = async (entrant: number) => {
    isAsking.current = true;
    const decision = await threads.agents.ask("decision", { entrant, played });
    isAsking.current = false;
    setOpinion({ ...decision, name: run.entrants[entrant]!.name, mover: mover! });
    return decision;
  };
  /** Forgets the touches, the hint and the question that belong to this position and these seats. */
  const forget = () => {
    if (isAsking.current) threads.agents.stop();
    isAsking.current = false;
    setTouched([]);
    setHint(undefined);
    setProblem("");
  };

  useAddress(playAddress(run, played, seats));
  useEffect(() => {
    if (mover === undefined) return;
    let isWanted = true;
    const go = async () => {
      if (mover === CHANCE) {
        const { action } = await threads.rules.ask("chance", { played, seed: seed.current });
        if (isWanted) goOn(action);
      } else if (mover >= 0 && seats[mover] !== PERSON) {
        const pause = new Promise((resolve) => setTimeout(resolve, hasPersons ? 0 : PAUSE_MS));
        const [{ action }] = await Promise.all([ask(seats[mover]!), pause]);
        if (isWanted) goOn(action);
      }
    };
    go().catch((error: Error) => {
      if (isWanted) setProblem(error.message);
    });
    return () => {
      isWanted = false;
    };
  }, [played, seats, mover]);

  const shown = earlier === undefined ? position : looked;
  if (position === undefined || shown === undefined) return { problem };

  const isYours = mover !== undefined && mover >= 0 && seats[mover] === PERSON;
  const play = (next: Played) => {
    keepFocus();
    forget();
    setViewed(undefined);
    setPlayed(next);
  };
  const adviser = seats.find((seat) => seat !== PERSON) ?? playable[0];
  const askForHint = (entrant: number) => {
    setHint({ text: "thinking…", places: [] });
    ask(entrant).then(
      ({ name, touches }) =>
        setHint({ text: `${run.entrants[entrant]!.name} would play ${name}`, places: touches }),
      (error: Error) => setHint({ text: error.message, places: [] }),
    );
  };
  return {
    played,
    position,
    shown,
    shownPlay: earlier ?? played,
    viewed,
    view(count) {
      setTouched([]);
      setViewed(count === played.actions.length ? undefined : count);
    },
    seats,
    changeSeats(next) {
      forget();
      setSeats(next);
    },
    playable,
    mover,
    isYours,
    choices: isYours && viewed === undefined ? position.choices : [],
    touched,
    touch(places) {
      keepFocus();
      setTouched(places);
    },
    choose: (action) => play({ ...played, actions: [...played.actions, action] }),
    play,
    undo() {
      let count = played.actions.length - 1;
      const isDecision = (at: number) => {
        const { mover: who } = position.moves[at]!;
        return who >= 0 && (seats[who] === PERSON || !hasPersons);
      };
      while (count > 0 && !isDecision(count)) count--;
      play({ ...played, actions: played.actions.slice(0, Math.max(0, count)) });
    },
    hint,
    ...(isYours &&
      viewed === undefined &&
      adviser !== undefined && { askForHint: () => askForHint(adviser) }),
    opinion,
    problem,
    around,
  };
}

/** The position after the play; undefined until the thread has answered. */
function usePosition(
  rules: Thread,
  played: Played | undefined,
  onProblem: (message: string) => void,
): { position: PositionData | undefined; isCurrent: boolean } {
  const [known, setKnown] = useState<{ played: Played; position: PositionData }>();
  useEffect(() => {
    if (played === undefined) return;
    let isWanted = true;
    rules.ask("position", { played }).then(
      (position) => {
        if (isWanted) setKnown({ played, position });
      },
      (error: Error) => {
        if (isWanted) onProblem(error.message);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [rules, played]);
  return { position: known?.position, isCurrent: known !== undefined && known.played === played };
}

/** Keeps the game in the address once something has changed, so that the address that a reader came with stays until then. */
function useAddress(address: string): void {
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) history.replaceState(null, "", address);
    first.current = false;
  }, [address]);
}

/** A person sits at the player to move, the strongest entrant at the other seats. */
function firstSeats(players: number, playable: readonly number[], toMove: number): readonly number[] {
  const yours = Math.max(0, toMove);
  return Array.from({ length: players }, (_, seat) => (seat === yours ? PERSON : (playable[0] ?? PERSON)));
}
