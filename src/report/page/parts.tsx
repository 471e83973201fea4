import type { ComponentChildren, JSX } from "preact";
import { createContext } from "preact";
import { useEffect, useState } from "preact/hooks";
import { COLOURS, SIGNS } from "./charts.tsx";

/*
 * Parts that several views are made of.
 */

/** The head of the page; `children` stand below the title. */
export function TopBar({
  title = "",
  children,
}: {
  title?: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <header class="top">
      <h1>agon {title !== "" && <small>{title}</small>}</h1>
      {children}
    </header>
  );
}

/** True while the page is printed: all views are on paper, with all their rows. */
export const PrintContext = createContext(false);

/** True from the time before the page is printed until after it. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const [begin, end] = [() => setPrinting(true), () => setPrinting(false)];
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

/** A section with a title and a note above its content. */
export function Panel({
  title,
  children,
  note,
}: {
  title: string;
  children: ComponentChildren;
  note?: string;
}): JSX.Element {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {note !== undefined && <p class="faint">{note}</p>}
      {children}
    </section>
  );
}

/** Holds content that may be wider than the page: it scrolls by itself, and the keyboard reaches it. */
export function Wide({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

/** A list of sentences that a reader must know; nothing for an empty list. */
export function Notices({ of, label }: { of: readonly string[]; label: string }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <ul class="notices" aria-label={label}>
      {of.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

/** The last lines of a player's dialogue, folded; nothing without any. */
export function LastLines({ of }: { of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <details>
      <summary>the last lines</summary>
      <div class="detail">{of.join("\n")}</div>
    </details>
  );
}

/** The names of a chart's colours, and of its signs if it has them. */
export function Legend({
  of,
  hasSigns = false,
}: {
  of: readonly { name: string; colour?: string }[];
  hasSigns?: boolean;
}): JSX.Element {
  return (
    <ul class="legend">
      {of.map(({ name, colour }, at) => (
        <li key={at}>
          {hasSigns ? (
            <span class="sign" style={`color:${COLOURS[at % COLOURS.length]}`} aria-hidden="true">
              {SIGNS[at % SIGNS.length]!.text}
            </span>
          ) : (
            <span class="swatch" style={`background:${colour ?? COLOURS[at % COLOURS.length]}`} />
          )}{" "}
          {name}
        </li>
      ))}
    </ul>
  );
}

/** A choice among values, with a name before it. */
export function Select({
  name,
  value,
  options,
  onChange,
}: {
  name: string;
  value: string;
  options: readonly { value: string; text: string; disabled?: boolean }[];
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}
