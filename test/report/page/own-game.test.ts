import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { game as kalah } from "../../../examples/kalah/kalah.ts";
import type { TournamentConfig } from "../../../src/arena/plan/config.ts";
import { createRandom } from "../../../src/base/random.ts";
import { describeResult, parseLegal } from "../../../src/games/contract/notation.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { hasBrowser, hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { playedRun, reportWithCode, ROOT } from "../../support/reports.ts";
import { startServing } from "../../support/servers/agon-serve.ts";
import { slowTest } from "../../support/thorough.ts";

const EXAMPLES = join(ROOT, "examples");

/** A page with the user's code, of a run of one block. */
async function pageOf(
  game: string,
  {
    entrants = ["random", "mcts:simulations=9"],
    place = "#/run/play",
  }: { entrants?: TournamentConfig["entrants"]; place?: string } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const dir = await playedRun({ name: "own", game, blocks: 1, entrants }, { baseDir: EXAMPLES });
  return openPage(await reportWithCode(dir), { place });
}

/** Waits until it is the person's turn, or the game is over. */
async function awaitTurn(page: Page): Promise<"yours" | "over"> {
  return (await page.locator(".turn[data-turn]:not([data-turn=theirs])").getAttribute("data-turn")) as
    | "yours"
    | "over";
}

const movesOn = (page: Page) => page.locator(".moves li").allTextContents();

describe.runIf(hasBrowser)("a game of the user's in a page with its code", () => {
  slowTest("is replayed, and played on by clicks to the result that its rules say", async () => {
    const { page, wrong } = await pageOf("kalah/kalah.ts", { place: "#/run/games" });
    await page.locator(".games a").first().click();
    for (let times = 0; times < 6; times++) await page.getByRole("button", { name: "one on" }).click();
    expect(await page.locator("svg.board .s-mark").count()).toBe(1);
    const stored = await movesOn(page);
    await page.getByRole("link", { name: "Play on from here" }).click();
    const random = createRandom("clicks");
    await page.locator(".turn").waitFor();
    await expect.poll(async () => (await movesOn(page)).slice(0, 6)).toEqual(stored.slice(0, 6));
    while ((await awaitTurn(page)) === "yours") {
      const places = page.locator("[data-place]");
      await places.nth(random.below(await places.count())).click();
    }
    const game = kalah.create({ pits: 6, stones: 4 });
    const state = game.start();
    for (const move of await movesOn(page)) state.apply(parseLegal(game, move, state));
    expect(await page.locator(".turn").textContent()).toBe(describeResult(game, state));
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("is played on a page of agon serve, too", async () => {
    const config = {
      name: "own",
      game: "kalah/kalah.ts",
      blocks: 1,
      entrants: ["random", "mcts:simulations=9"],
    };
    const dir = await playedRun(config, { baseDir: EXAMPLES });
    const { address } = await startServing(dir, ["--port", "0", "--with-code"]);
    const { page, wrong } = await openPage(`${address}#/run/games`);
    await page.locator(".games a").first().click();
    for (let times = 0; times < 3; times++) await page.getByRole("button", { name: "one on" }).click();
    await page.getByRole("link", { name: "Play on from here" }).click();
    expect(await awaitTurn(page)).toBe("yours");
    expect((await movesOn(page)).length).toBe(3);
    await page.locator("[data-place]").first().click();
    await page.locator(".moves li").nth(3).waitFor();
    await page.getByRole("button", { name: "analyse" }).click();
    await page.getByRole("region", { name: "Analysis" }).locator("li").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  slowTest("is played by an agent of the user's", async () => {
    const { page, wrong } = await pageOf("twenty-one/twenty-one.ts", {
      entrants: ["random", { name: "counter", agent: "./twenty-one/counter.ts" }],
    });
    await page.getByRole("combobox").nth(0).selectOption("counter");
    await page.getByRole("combobox").nth(1).selectOption("counter");
    expect(await awaitTurn(page)).toBe("over");
    expect((await movesOn(page)).slice(0, 6)).toEqual(["+1", "+3", "+1", "+3", "+1", "+3"]);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  slowTest("is built in, and played by an evaluator of the user's", async () => {
    const { page, wrong } = await pageOf("connect-four", {
      entrants: ["random", { name: "centre", agent: "greedy", evaluator: "./centre/centre.ts" }],
    });
    await page.getByRole("combobox").nth(0).selectOption("centre");
    await page.getByRole("combobox").nth(1).selectOption("centre");
    expect(await awaitTurn(page)).toBe("over");
    expect((await movesOn(page))[0]).toBe("4");
    expect(wrong).toEqual([]);
  });
});

/** A game of three pits that may misbehave, but only in a page. */
function misbehaving(fault: string): string {
  return `import { simpleGame } from "agon-arena";
const isPage = typeof importScripts === "function";
${fault.startsWith("top: ") ? `if (isPage) ${fault.slice(5)}` : ""}
export const game = simpleGame({
  id: "pits",
  summary: "empty the pits",
  start: () => ({ pits: [1, 1, 1], player: 0 }),
  toMove: ({ player }) => player,
  legalActions: ({ pits }) => pits.flatMap((stones, pit) => (stones > 0 ? [pit] : [])),
  apply: ({ pits, player }, pit) => ({ pits: pits.with(pit, 0), player: 1 - player }),
  result({ pits, player }) {
    return pits.some((stones) => stones > 0) ? undefined : player === 0 ? [1, -1] : [-1, 1];
  },
  picture: () => ({
    places: [0, 1, 2].map((pit) => ({ name: \`pit \${pit}\`, x: pit, y: 0, w: 1, h: 1 })),
    content({ pits }, pit) {
      const left = pits.reduce((sum, stones) => sum + stones, 0);
      ${fault.startsWith("top: ") ? "" : `if (isPage && left < 3) ${fault}`}
      return { text: String(pits[pit]) };
    },
  }),
});
`;
}

describe.runIf(hasBrowserForAll)("code of the user's that misbehaves in a page", () => {
  const cases = [
    ["throws", "throw new RangeError('no stones');", "the code throws RangeError: no stones"],
    [
      "throws a thing that is no error",
      "throw { toString() { return 'a thing'; } };",
      "the code throws a thing",
    ],
    ["loops for ever", "for (;;);", "the game's code has not answered for 10 s"],
    ["throws at once", "top: throw new Error('at once');", "the code throws Error: at once"],
    ["loops at once", "top: for (;;);", "the game's code has not answered for 10 s"],
    [
      "draws no text",
      "return { text: { toString: () => 1 } };",
      "the game's code gives what cannot be shown: board.pieces",
    ],
    [
      "lies to the page",
      "for (let number = 0; number < 99; number++) postMessage(JSON.stringify({ number, answer: { board: {} } }));",
      "the game's code gives what cannot be shown: ",
    ],
    ["ends its thread", "{ close(); for (;;); }", "the game's code has not answered for 10 s"],
    ["makes code of a text", "new Function('return 1')();", "the code throws EvalError: "],
    ["loads a script", "importScripts('data:text/javascript,1');", "the code throws NetworkError: "],
  ] as const;
  test.each(cases)("%s: the page says so, and goes on", async (_, fault, message) => {
    const game = writeInto(temporaryFolder(), "pits.ts", misbehaving(fault));
    const { page, wrong } = await pageOf(game);
    const isAtOnce = fault.startsWith("top: ");
    if (!isAtOnce) await page.locator("[data-place]").first().click();
    await expect
      .poll(() => page.getByRole("alert").allTextContents(), { timeout: 20_000 })
      .toEqual([expect.stringContaining(message)]);
    if (!isAtOnce) {
      await page.getByRole("button", { name: "new game" }).click();
      expect(await awaitTurn(page)).toBe("yours");
      expect(await page.getByRole("alert").count()).toBe(0);
    }
    // The policy's refusals are told on the console.
    expect(wrong.filter((one) => !/Content.Security.Policy/.test(one))).toEqual([]);
  });

  test("lies in the right shape: the page says that it cannot go on", async () => {
    const position = {
      board: {
        label: "",
        text: "a lie",
        width: 0,
        height: 0,
        ground: [],
        pieces: [],
        places: [],
        marked: [],
        won: [],
      },
      toMove: 50,
      turn: "player 51 to move",
      choices: [],
      moves: [{ text: "x", mover: 70 }],
      notation: "",
    };
    const lie = `for (let number = 0; number < 99; number++)
      postMessage(JSON.stringify({ number, answer: ${JSON.stringify(position)} }));`;
    const { page } = await pageOf(writeInto(temporaryFolder(), "pits.ts", misbehaving(lie)));
    await page.locator("[data-place]").first().click();
    await page.getByRole("alert").getByText("The game cannot be shown any longer: ").waitFor();
    await page.getByRole("link", { name: "Standings" }).click();
    await page.getByRole("region", { name: "Table of ratings" }).waitFor();
  });

  test("asks for other addresses: nothing is sent", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await fetch(address);
    expect(requests).toBe(1);
    const ask = `{
        const request = new XMLHttpRequest();
        request.open("GET", "${address}", false);
        void fetch("${address}").catch(() => {});
        try { new WebSocket("${address}".replace("http", "ws")); } catch {}
        try { new EventSource("${address}"); } catch {}
        try { importScripts("${address}"); } catch {}
        request.send();
      }`;
    const { page } = await pageOf(writeInto(temporaryFolder(), "pits.ts", misbehaving(ask)));
    await page.locator("[data-place]").first().click();
    await page.getByRole("alert").getByText("the code throws NetworkError").waitFor();
    expect(requests).toBe(1);
  });
});
