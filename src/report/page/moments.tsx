import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** The current moment of something that goes moment by moment, such as a game. */
export interface Moments {
  /** 0 to `last`. */
  readonly at: number;
  readonly last: number;
  /** Goes to a moment; one out of range is the first or the last. */
  readonly go: (to: number | ((now: number) => number)) => void;
}

const KEYS: Readonly<Record<string, (now: number) => number>> = {
  ArrowLeft: (now) => now - 1,
  ArrowRight: (now) => now + 1,
  Home: () => 0,
  End: () => Infinity,
};

/** The moments 0 to `last`. Arrow keys, Home and End go through them too, unless a field has the focus. */
export function useMoments(last: number, start: number): Moments {
  const within = (moment: number) => Math.max(0, Math.min(last, moment));
  const [at, setAt] = useState(within(start));
  // Keys may come faster than the page is drawn.
  const go = (to: number | ((now: number) => number)) =>
    setAt((now) => within(typeof to === "number" ? to : to(now)));
  // Whoever sees the page may press a key.
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const { target, altKey, ctrlKey, metaKey } = event;
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      const move = isField || altKey || ctrlKey || metaKey ? undefined : KEYS[event.key];
      if (move === undefined) return;
      event.preventDefault();
      go(move);
    };
    addEventListener("keydown", follow);
    return () => removeEventListener("keydown", follow);
  }, [last]);
  return { at, last, go };
}

/** Moments a second, by name. */
const PACES: Readonly<Record<string, number>> = { slow: 0.5, medium: 1.5, fast: 4 };

/** A button that goes from moment to moment to the last one, and the pace. From the last one it begins anew. */
export function PlaysItself({ moments: { at, last, go } }: { moments: Moments }): JSX.Element {
  const [plays, setPlays] = useState(false);
  const [pace, setPace] = useState("medium");
  useEffect(() => {
    if (!plays || at === last) return setPlays(false);
    const timer = setTimeout(() => go((now) => now + 1), 1000 / PACES[pace]!);
    return () => clearTimeout(timer);
  }, [plays, at, pace]);
  const begin = () => {
    if (at === last) go(0);
    setPlays(true);
  };
  return (
    <>
      <button type="button" onClick={() => (plays ? setPlays(false) : begin())} disabled={last === 0}>
        {plays ? "pause" : "play"}
      </button>
      <select aria-label="pace" value={pace} onChange={(event) => setPace(event.currentTarget.value)}>
        {Object.keys(PACES).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </>
  );
}

/** Buttons and a slider; `what` names the slider; `children` stand after them. */
export function MomentControls({
  moments: { at, last, go },
  what,
  children,
}: {
  moments: Moments;
  what: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="controls">
      <button type="button" onClick={() => go(0)} aria-label="to the start">
        |◀
      </button>
      <button type="button" onClick={() => go((now) => now - 1)} aria-label="one back">
        ◀
      </button>
      <input
        type="range"
        min="0"
        max={last}
        value={at}
        aria-label={what}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <button type="button" onClick={() => go((now) => now + 1)} aria-label="one on">
        ▶
      </button>
      <button type="button" onClick={() => go(last)} aria-label="to the end">
        ▶|
      </button>
      {children}
    </div>
  );
}
