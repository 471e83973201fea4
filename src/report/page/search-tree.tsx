import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { algorithmOf, stepsOf, type Step } from "../../explain/tree/text/steps.ts";
import type { SearchTree } from "../../explain/tree/search-tree.ts";
import { drawSearchTree } from "../../explain/tree/picture/svg.ts";
import { formatValue } from "../../explain/tree/text/text.ts";
import { Panel } from "./parts.tsx";
import { MomentControls, PlaysItself, useMoments } from "./moments.tsx";

/**
 * A search step by step: the tree as it grows, the line of the algorithm, and a sentence.
 * @param name the searcher's name [the agent's id]
 */
export function SearchTreeView({
  tree,
  name = tree.agent,
}: {
  tree: SearchTree;
  name?: string;
}): JSX.Element {
  const steps = useMemo(() => stepsOf(tree), [tree]);
  const moments = useMoments(steps.length - 1, 0);
  const [fits, setFits] = useState(false);
  const { at } = moments;
  const step = steps[at]!;
  const algorithm = algorithmOf(tree);
  return (
    <Panel
      title={`${name}: what it did`}
      note={`${tree.game}, ${tree.state}: it plays ${tree.decision.action}.`}
    >
      <MomentControls moments={moments} what="step">
        <PlaysItself moments={moments} />
        <button type="button" aria-pressed={fits} onClick={() => setFits(!fits)}>
          fit the window
        </button>
        <span class="faint">
          {at + 1} of {steps.length}
        </span>
      </MomentControls>
      <p aria-live="polite" class="turn" data-step={at}>
        {step.text}
      </p>
      <Drawing tree={tree} steps={steps} at={at} fits={fits} />
      <ol class="algorithm" aria-label="The algorithm">
        {algorithm.map(([, line], index) => (
          <li key={index} aria-current={index === step.line ? "step" : undefined}>
            <code>{line}</code>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/**
 * The tree of the step's iteration. Later nodes are faint; values appear when they are known.
 * @param fits true if it is drawn as small as the window; else it scrolls to the step's node
 */
function Drawing({
  tree,
  steps,
  at,
  fits,
}: {
  tree: SearchTree;
  steps: readonly Step[];
  at: number;
  fits: boolean;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const { iteration } = steps[at]!;
  const svg = useMemo(() => drawSearchTree(tree, [tree.iterations[iteration]!]), [tree, iteration]);
  const spans = useMemo(() => spansOf(steps, iteration), [steps, iteration]);
  useLayoutEffect(() => {
    const current = steps[at]!.actions.join("/");
    // A tree of simulations is drawn as a whole.
    const isWhole = tree.iterations[iteration]!.simulations !== null;
    const isSeen = (path: string) => isWhole || (spans.get(path)?.first ?? -1) <= at;
    const isDone = (path: string) => isWhole || (spans.get(path)?.last ?? -1) <= at;
    for (const node of place.current!.querySelectorAll<SVGGElement>("[data-path]")) {
      const path = node.dataset["path"]!;
      node.classList.toggle("ahead", !isSeen(path));
      node.classList.toggle("current", path === current);
      showValue(node, isDone(path) ? undefined : valueSoFar(steps, { at, iteration, path }));
    }
    for (const edge of place.current!.querySelectorAll<SVGPathElement>("[data-to]"))
      edge.classList.toggle("ahead", !isSeen(edge.dataset["to"]!));
    for (const cut of place.current!.querySelectorAll<SVGGElement>("[data-cut]"))
      cut.classList.toggle("ahead", !isDone(cut.dataset["cut"]!));
    showCurrent(place.current!);
  }, [svg, at, fits]);
  return (
    <div
      class={fits ? "scroll tree fits" : "scroll tree"}
      tabIndex={0}
      role="region"
      aria-label="The search tree"
      ref={place}
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  );
}

/** Scrolls the drawing, not the page, until the node of the step is in it with some room around. */
function showCurrent(drawing: HTMLElement): void {
  const node = drawing.querySelector(".current");
  if (node === null) return;
  const [outer, inner] = [drawing.getBoundingClientRect(), node.getBoundingClientRect()];
  const beyond = (from: number, to: number, least: number, most: number) =>
    from < least || to > most ? (from + to - least - most) / 2 : 0;
  drawing.scrollLeft += beyond(inner.left, inner.right, outer.left, outer.right);
  drawing.scrollTop += beyond(inner.top, inner.bottom, outer.top, outer.bottom);
}

/** The first and the last step of each node in an iteration, by its path. */
function spansOf(steps: readonly Step[], iteration: number): Map<string, { first: number; last: number }> {
  const spans = new Map<string, { first: number; last: number }>();
  for (const [index, step] of steps.entries()) {
    if (step.iteration !== iteration) continue;
    const path = step.actions.join("/");
    const known = spans.get(path);
    spans.set(path, { first: known?.first ?? index, last: index });
  }
  return spans;
}

/** The value that a node has at a step; empty if it has none yet. */
function valueSoFar(
  steps: readonly Step[],
  { at, iteration, path }: { at: number; iteration: number; path: string },
): string {
  for (let index = at; index >= 0 && steps[index]!.iteration === iteration; index--) {
    const { actions, value } = steps[index]!;
    if (actions.join("/") === path) return value === null ? "" : formatValue(value);
  }
  return "";
}

/** Writes a value into a drawn node; undefined: its final value. */
function showValue(node: SVGGElement, value: string | undefined): void {
  const text = node.querySelector<SVGTextElement>(".value");
  if (text === null) return;
  text.dataset["final"] ??= text.textContent ?? "";
  text.textContent = value ?? text.dataset["final"]!;
}
