import * as Plot from "@observablehq/plot";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export { Plot };

/** Of marks that mean one thing; several things have colours of their own, and signs too. */
export const INK = "var(--accent)";
/** Told apart by the colour-blind (Okabe and Ito 2008). */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];

const LEAST_WIDTH = 280;

/** A chart as wide as its place. `label` says in words what it shows, for those who do not see it. */
export function Chart({
  plot,
  label,
}: {
  plot: (width: number) => Plot.PlotOptions;
  label: string;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(LEAST_WIDTH, entry!.contentRect.width)),
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const chart = Plot.plot({
      width,
      // The axis' name stands below its numbers.
      marginBottom: 42,
      style: { background: "none", overflow: "visible", fontSize: "12px", color: "inherit" },
      ...plot(width),
    });
    // It is one picture; the parts' own labels are names of marks.
    for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", label);
    place.current!.replaceChildren(chart);
  }, [plot, width, label]);
  return <div class="chart" ref={place} />;
}

/** A figure with a title above it. */
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

/** A name that fits beside a chart. */
export function shortened(name: string, most = 26): string {
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

/** `+12`, `-340`, `0`. */
export function signed(value: number): string {
  const whole = Math.round(value);
  return whole > 0 ? `+${whole}` : String(whole + 0);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** A chart with a row for each name, from the top. */
export function namedRows(
  names: readonly string[],
  width: number,
): Pick<Plot.PlotOptions, "height" | "marginLeft" | "marginRight" | "y"> {
  const isNarrow = width < 480;
  return {
    height: 76 + 26 * names.length,
    marginLeft: isNarrow ? 110 : 190,
    marginRight: 24,
    y: { domain: [...names], label: null, tickFormat: (name: string) => shortened(name, isNarrow ? 15 : 27) },
  };
}

/** What may be wider than the page, such as a table: it scrolls by itself, and can be reached by the keyboard. */
export function Wide({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

/** An interval of Elo; `?` for an end that is not known. */
export function interval({ low, high }: { low: number | null; high: number | null }): string {
  const end = (elo: number | null) => (elo === null ? "?" : signed(elo));
  return `${end(low)} to ${end(high)}`;
}

/** The ground of a cell: from orange at -1 over none at 0 to blue at 1. The figure in the cell says the same. */
export function heat(share: number): string {
  const colour = share >= 0 ? "0, 114, 178" : "213, 94, 0";
  return `background: rgba(${colour}, ${(0.75 * Math.abs(share)).toFixed(3)})`;
}
