import axe from "axe-core";
import type { Page } from "playwright-core";

/** The part of axe that is used. */
interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: string; html: string }[] }[] }>;
}

/** What axe finds in the page as it stands, a line each. */
export async function violationsIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: Axe };
    const found = (await checker.run()).violations;
    return found.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`));
  });
}

/** How far the page is wider than its window, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}
