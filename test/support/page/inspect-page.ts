import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import axe from "axe-core";
import type { Page } from "playwright-core";
import type { PageData } from "../../../src/report/page/data.ts";

/** The part of axe that is used. */
interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: string; html: string }[] }[] }>;
}

/** The faults that axe finds in the page, a line each. */
export async function violationsIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: Axe };
    const found = (await checker.run()).violations;
    return found.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`));
  });
}

/** The width of the page beyond its window, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

/** The data in a written page. */
export function dataOf(file: string): PageData {
  const [, text] = /id="data">([^<]*)</.exec(readFileSync(file, "utf8"))!;
  return JSON.parse(gunzipSync(Buffer.from(text!, "base64")).toString()) as PageData;
}
