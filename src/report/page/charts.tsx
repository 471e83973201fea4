import * as Plot from "@observablehq/plot";
import type { JSX } from "preact";
import { shortenNames } from "../../ratings/sections/short-names.ts";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export { Plot };

/** Part of the options of a chart of several players: a colour and a sign for each, with an edge that any ground shows. */
export function linesOf(
  rows: readonly object[],
  channels: { readonly x: string; readonly y: string; readonly by: string },
): Plot.Markish[] {
  const { x, y, by } = channels;
  const r = rows.length > 100 ? 2 : 3.5;
  return [
    Plot.lineY(rows, { x, y, z: by, stroke: "currentColor", strokeWidth: 3 }),
    Plot.lineY(rows, { x, y, z: by, stroke: by, strokeWidth: 1.7 }),
    Plot.dot(rows, { x, y, fill: by, stroke: "currentColor", symbol: by, r }),
  ];
}

/** The colour of marks in a chart that shows one thing; several things have colours of their own, and signs too. */
export const INK = "var(--accent)";
/** Colours that the colour-blind can tell apart (Okabe and Ito 2008). */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];

/** Signs of marks, as charts draw them and as legends write them; their number differs from that of the colours. */
export const SIGNS = [
  { symbol: "circle", text: "●" },
  { symbol: "square", text: "■" },
  { symbol: "triangle", text: "▲" },
  { symbol: "diamond", text: "◆" },
  { symbol: "star", text: "★" },
  { symbol: "cross", text: "✚" },
] as const;

const LEAST_WIDTH = 280;

/** A chart as wide as its place; `label` says in words what the chart shows. A touch at some x is told to `onPick`. */
export function Chart({
  plot,
  label,
  onPick,
}: {
  plot: (width: number) => Plot.PlotOptions;
  label: string;
  onPick?: (x: number) => void;
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
  // Drawn at once: a page that is being printed waits for no later moment.
  useLayoutEffect(() => {
    const chart = Plot.plot({
      width,
      // The axis' name stands below its numbers.
      marginBottom: 42,
      style: { background: "none", overflow: "visible", fontSize: "12px", color: "inherit" },
      ...plot(width),
    });
    // The chart is one picture; the labels of its parts only name marks.
    for (const part of chart.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", label);
    place.current!.replaceChildren(chart);
    if (onPick === undefined) return;
    chart.style.cursor = "pointer";
    const scale = chart.scale("x")!;
    const pick = (event: Event) => {
      const { clientX, buttons } = event as PointerEvent;
      const { left, width: wide } = chart.getBoundingClientRect();
      if (buttons === 1) onPick(Number(scale.invert!(((clientX - left) * width) / wide)));
    };
    for (const kind of ["pointerdown", "pointermove"]) chart.addEventListener(kind, pick);
  }, [plot, width, label]);
  return <div class="chart" ref={place} />;
}

/** The options of a chart with a row for each name, from the top. The names fit between its border and its axis. */
export function namedRows(
  names: readonly string[],
  width: number,
  { wide = 30, narrow = 17 } = {},
): Pick<Plot.PlotOptions, "height" | "marginLeft" | "marginRight" | "y"> {
  const short = shortenNames(names, width < NARROW ? narrow : wide);
  const byName = new Map(names.map((name, at) => [name, short[at]!]));
  return {
    height: 76 + 26 * names.length,
    marginLeft: 16 + widestOf(short),
    marginRight: 24,
    y: { domain: [...names], label: null, tickFormat: (name: string) => byName.get(name)! },
  };
}

/** Charts below this width have little room for names. */
export const NARROW = 480;

/** The width of the widest text in a chart, in pixels. */
export function widestOf(texts: readonly string[]): number {
  const context = document.createElement("canvas").getContext("2d")!;
  context.font = "12px system-ui, sans-serif";
  return Math.ceil(Math.max(0, ...texts.map((text) => context.measureText(text).width)));
}
