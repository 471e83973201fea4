import { describe, expect, test } from "vitest";
import type { RunReport } from "../../../src/ratings/format-results.ts";
import { agon } from "../../support/agon.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { tableOf, titlesOf } from "../../support/page/read-page.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { chatServer, last, replyOf } from "../../support/servers/chat.ts";

const TITLE = "Chat models: answers, tokens and cost a game";

describe.runIf(hasBrowserForAll)("the chat models of a report", () => {
  test.each([1280, 390])(
    "with their tokens, their cost and their illegal answers, %i wide",
    async (width) => {
      let careless = 0;
      const { url } = await chatServer((asked) => {
        if (asked.model === "careless" && ++careless % 3 === 0) return "I would rather talk.";
        if (asked.model !== "eloquent") return last(asked);
        const usage = { prompt_tokens: 12_345, completion_tokens: 987 };
        return (response) => response.end(JSON.stringify({ ...replyOf(last(asked)), usage }));
      });
      const talker = (model: string, more: object = {}) => ({
        name: model,
        agent: "chat",
        url,
        model,
        ...more,
      });
      const dir = await playedRun({
        name: "talkers",
        game: "tic-tac-toe",
        blocks: 1,
        moveTimeoutMs: 60_000,
        entrants: [
          "random",
          talker("careless", { price: { input: 0.5, output: 20 }, retries: 5 }),
          talker("eloquent", { price: { input: 3, output: 15 } }),
          talker("free"),
        ],
      });
      const report = JSON.parse((await agon(["rate", dir, "--format", "json"])).stdout) as RunReport;
      const { page, wrong } = await openPage(await writtenReport(dir), { width });
      expect(await titlesOf(page, TITLE)).toEqual([
        "#",
        "Entrant",
        "Answers",
        "Illegal%",
        "Tokens in",
        "Tokens out",
        "s/answer",
        "Cost",
        "Cost in all",
      ]);
      const rows = await tableOf(page, TITLE);
      expect(rows.map(([, name]) => name)).toEqual(report.chat!.map(({ name }) => name));
      for (const [at, use] of report.chat!.entries()) {
        const [, , answers, illegal, tokensIn, tokensOut, , cost, all] = rows[at]!.map(Number);
        const { games, name } = use;
        expect(answers! * games, name).toBeCloseTo(use.answers, 0);
        expect(Math.abs(illegal! - (100 * use.illegal) / use.answers)).toBeLessThan(0.051);
        expect(tokensIn).toBe(Math.round(use.tokensIn / games));
        expect(Math.abs(tokensOut! * games - use.tokensOut)).toBeLessThanOrEqual(games);
        expect(Math.abs(cost! * games - use.cost)).toBeLessThanOrEqual(0.005 * use.cost);
        expect(Math.abs(all! - use.cost)).toBeLessThanOrEqual(0.005 * use.cost);
      }
      const rowOf = (name: string) => rows.find(([, one]) => one === name)!;
      expect(Number(rowOf("careless")[3])).toBeGreaterThan(0);
      expect(rowOf("eloquent")[3]).toBe("0.0");
      expect(rowOf("free").slice(-2)).toEqual(["0", "0"]);
      // The columns that do not fit are reached in the table's own part; the page stays as wide as its window.
      expect(await overflowOf(page)).toBe(0);
      expect(await violationsIn(page)).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );
});
