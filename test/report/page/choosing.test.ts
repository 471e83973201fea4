import { afterEach, expect, test, vi } from "vitest";
import { Caller, type Call, type Reply } from "../../../src/base/caller.ts";
import { parseSquare } from "../../../src/games/chess/board.ts";
import type { Choice, Question, Setup } from "../../../src/report/page/play/messages.ts";

/** The types of browsers are not those of tests. */
const FOLDER = "../../../src/report/page/play";
const load = async (name: string) => import(new URL(`${FOLDER}/${name}.ts`, import.meta.url).href) as unknown;
const { startPlayThread } = (await load("play-thread")) as { startPlayThread: () => void };
type Touch = (choices: readonly Choice[], touched: readonly number[], place: number) => object;
const { touch } = (await load("choosing")) as { touch: Touch };

afterEach(() => vi.unstubAllGlobals());

/** The choices in a position of Chess960, as a thread of the page finds them. */
async function choicesAt(from: string): Promise<readonly Choice[]> {
  let hear: (event: { data: Setup | Call<Question> }) => void = () => {};
  const caller = new Caller<Question, unknown>((call) => hear({ data: call }));
  vi.stubGlobal("addEventListener", (_: string, listener: typeof hear) => (hear = listener));
  vi.stubGlobal("postMessage", (text: string) => caller.hear(JSON.parse(text) as Reply<unknown>));
  startPlayThread();
  hear({ data: { game: { id: "chess", chess960: true }, entrants: [], weights: {} } });
  const answer = await caller.ask({ kind: "position", played: { from, actions: [] } } as Question);
  return (answer as { choices: readonly Choice[] }).choices;
}

test.each([
  ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1 h1", "O-O"],
  ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1 g1", "O-O"],
  ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1 f1", "Kf1"],
  ["4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1 h1", "O-O"],
  ["4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1 g1", "Kg1"],
  ["4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1 c1", "O-O-O"],
])("in Chess960, at %s, touches of %s are %s", async (from, places, name) => {
  const choices = await choicesAt(from);
  const [king, goal] = places.split(" ").map(parseSquare);
  expect(touch(choices, [], king!)).toEqual({ touched: [king] });
  const { action } = choices.find((choice) => choice.name === name)!;
  expect(touch(choices, [king!], goal!)).toEqual({ action });
});
