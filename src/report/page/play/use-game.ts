import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Played } from "../../../agents/agent.ts";
import { CHANCE, TERMINAL } from "../../../games/contract/rules.ts";
import type { TournamentData } from "../data.ts";
import { useAddress } from "../address.ts";
import { useKeptFocus } from "../move-list.tsx";
import { PERSON, playAddress, seatsIn } from "./address.ts";
import type { Opinion } from "./analysis.tsx";
import type { Choice, GameInfo, PositionData } from "./messages.ts";
import { rankedPlayable } from "./seats.tsx";
import type { Thread } from "./thread.ts";

/** The time between two moves of agents, so that a person can follow them. */
const PAUSE_MS = 350;
/** Where something is hidden, a person is asked after whole seconds: the time must not tell how much the others did. */
const PACE_MS = 1000;

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
  /** True while the person does not see all: there is nothing to take back, to save or to link to. */
  readonly isHidden: boolean;
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
  const { names, isHidden } = begin.info;
  const players = names.length;
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

  // A game that hides something begins when the seats are known.
  const hiddenSeats = useMemo(
    () => (isHidden ? oneYou(chosenSeats ?? firstSeats(players, playable, 0), playable) : undefined),
    [chosenSeats],
  );
  const viewer = hiddenSeats?.includes(PERSON) === true ? hiddenSeats.indexOf(PERSON) : undefined;
  /** The play after which the person may be asked, where something is hidden. */
  const [settled, setSettled] = useState<Played>();

  const { position, isCurrent } = usePosition(threads.rules, { played, viewer }, setProblem);
  const earlier = useMemo(
    () => (viewed === undefined ? undefined : { ...played, actions: played.actions.slice(0, viewed) }),
    [played, viewed],
  );
  const isOver = position?.toMove === TERMINAL;
  const { position: looked } = usePosition(
    threads.rules,
    { played: earlier, viewer: isOver ? undefined : viewer },
    setProblem,
  );
  const known = isCurrent ? position!.toMove : undefined;
  const isSettled = viewer === undefined || isOver || settled === played;
  const mover = isSettled ? known : undefined;
  const seats = useMemo(
    () => hiddenSeats ?? chosenSeats ?? firstSeats(players, playable, position?.toMove ?? 0),
    [hiddenSeats, chosenSeats, position !== undefined],
  );
  const hasPersons = seats.includes(PERSON);

  const goOn = (action: number) => setPlayed({ ...played, actions: [...played.actions, action] });
  const ask = async (entrant: number) => {
    isAsking.current = true;
    const decision = await threads.agents.ask("decision", { entrant, played, seed: seed.current });
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

  /** The play up to the person's next turn or the end. All of it is shown at once. */
  const playOthers = async (first: number): Promise<Played> => {
    const { rules, agents } = threads;
    const begun = performance.now();
    let next = played;
    for (let who = first; who !== TERMINAL && seats[who] !== PERSON;) {
      isAsking.current = true;
      const asked = { played: next, seed: seed.current };
      const { action } =
        who === CHANCE
          ? await rules.ask("chance", asked)
          : await agents.ask("decision", { ...asked, entrant: seats[who]! });
      next = { ...next, actions: [...next.actions, action] };
      who = (await rules.ask("position", { played: next, viewer })).toMove;
    }
    isAsking.current = false;
    const rest = PACE_MS - ((performance.now() - begun) % PACE_MS);
    await new Promise((resolve) => setTimeout(resolve, rest));
    return next;
  };

  const isSecret = viewer !== undefined && !isOver;
  useAddress(playAddress(run, isSecret ? NO_MOVES : played, seats));
  useEffect(() => {
    if (known === undefined || (isSettled && viewer !== undefined)) return;
    let isWanted = true;
    const go = async () => {
      if (viewer !== undefined) {
        const next = await playOthers(known);
        if (!isWanted) return;
        setSettled(next);
        setPlayed(next);
      } else if (mover === CHANCE) {
        const { action } = await threads.rules.ask("chance", { played, seed: seed.current });
        if (isWanted) goOn(action);
      } else if (mover! >= 0 && seats[mover!] !== PERSON) {
        const pause = new Promise((resolve) => setTimeout(resolve, hasPersons ? 0 : PAUSE_MS));
        const [{ action }] = await Promise.all([ask(seats[mover!]!), pause]);
        if (isWanted) goOn(action);
      }
    };
    go().catch((error: Error) => {
      if (isWanted) setProblem(error.message);
    });
    return () => {
      isWanted = false;
    };
  }, [played, seats, known, isSettled]);

  const shown = earlier === undefined ? position : looked;
  if (position === undefined || shown === undefined) return { problem };

  const isYours = mover !== undefined && mover >= 0 && seats[mover] === PERSON;
  const play = (next: Played) => {
    keepFocus();
    forget();
    setViewed(undefined);
    setPlayed(next);
    // Another deal.
    if (isHidden && next.actions.length === 0) seed.current = String(performance.now());
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
    isHidden: isSecret,
    view(count) {
      setTouched([]);
      setViewed(count === played.actions.length ? undefined : count);
    },
    seats,
    changeSeats(next) {
      // Whoever has seen one hand plays no other one.
      if (isHidden) play({ ...NO_MOVES });
      else forget();
      setSeats(isHidden ? oneYou(next, playable, seats) : next);
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
  { played, viewer }: { played: Played | undefined; viewer: number | undefined },
  onProblem: (message: string) => void,
): { position: PositionData | undefined; isCurrent: boolean } {
  const [known, setKnown] = useState<{ played: Played; position: PositionData }>();
  useEffect(() => {
    if (played === undefined) return;
    let isWanted = true;
    rules.ask("position", { played, viewer }).then(
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
  }, [rules, played, viewer]);
  return { position: known?.position, isCurrent: known !== undefined && known.played === played };
}

/** Seats of a game that hides something: at most one is a person's, the one that was chosen last. */
function oneYou(
  seats: readonly number[],
  playable: readonly number[],
  before: readonly number[] = [],
): readonly number[] {
  const chosen = seats.findIndex((one, seat) => one === PERSON && before[seat] !== PERSON);
  const yours = chosen < 0 ? seats.indexOf(PERSON) : chosen;
  return seats.map((one, seat) => (one === PERSON && seat !== yours ? (playable[0] ?? one) : one));
}

/** A person sits at the player to move, the strongest entrant at the other seats. */
function firstSeats(players: number, playable: readonly number[], toMove: number): readonly number[] {
  const yours = Math.max(0, toMove);
  return Array.from({ length: players }, (_, seat) => (seat === yours ? PERSON : (playable[0] ?? PERSON)));
}
