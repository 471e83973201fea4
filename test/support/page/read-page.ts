import type { Page } from "playwright-core";

/** A mark of a chart: its place in pixels from the top left, and its size. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
}

/** The cells of a table, row by row from the second one on; `label` is that of the part that holds it. */
export async function tableOf(page: Page, label: string | RegExp): Promise<string[][]> {
  const rows = page.getByRole("region", { name: label, exact: true }).locator("tbody tr");
  await rows.first().waitFor();
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
  );
}

/** The titles of a table's columns. */
export async function titlesOf(page: Page, label: string): Promise<string[]> {
  const titles = page.getByRole("region", { name: label, exact: true }).locator("thead th");
  return (await titles.allTextContents()).map((title) => title.trim());
}

/** The marks of a chart whose picture has a name that begins so. */
export async function marksOf(page: Page, name: string, selector: string): Promise<Mark[]> {
  const all = `.chart svg[aria-label^="${name}"] ${selector}`;
  await page.locator(all).first().waitFor({ state: "attached" });
  // One call finds and measures them: a chart is drawn again when its width changes.
  return page.locator("body").evaluate(
    (body, marks) =>
      Array.from(body.querySelectorAll(marks), (mark: typeof body) => {
        const { x, y, width, height } = mark.getBoundingClientRect();
        const fill = mark.closest("[fill]:not([fill=none])")?.getAttribute("fill") ?? "";
        return { x: x + width / 2, y: y + height / 2, width, height, fill };
      }),
    all,
  );
}

/** A game as the page lists it. */
export interface GameRow {
  readonly id: string;
  readonly number: number;
  /** The names of the entrants. */
  readonly seats: readonly string[];
  readonly result: string;
  readonly actions: number;
}

/** The games on the shown page of the list. */
export async function listedGames(page: Page): Promise<GameRow[]> {
  const rows = await page.locator("body").evaluate((body) =>
    Array.from(body.querySelectorAll(".games tbody tr"), (row: typeof body) => ({
      link: row.querySelector("a")!.getAttribute("href")!,
      result: row.querySelector("td > b:not(.fresh)")!.textContent,
      cells: Array.from(row.children, (cell: typeof body) => cell.textContent),
    })),
  );
  return rows.map(({ link, result, cells }) => ({
    id: new URLSearchParams(link.split("?")[1]).get("game")!,
    number: Number(cells[0]!.replace("new", "")),
    seats: cells.slice(1, -2),
    result,
    actions: Number(cells.at(-1)),
  }));
}
