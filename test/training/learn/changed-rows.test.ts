import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { ChangedRows, PlainUpdate } from "../../../src/training/learn/update-rule.ts";
import { slowTest } from "../../support/thorough.ts";

slowTest(
  "two tables in turns are copies of the weights at the end of each round, whatever has changed",
  () => {
    const random = createRandom("rows");
    const weights = Float32Array.from({ length: 1000 }, () => random.float());
    const tables = [weights.slice(), weights.slice()];
    const rows = new ChangedRows(new PlainUpdate(weights), weights);
    for (let round = 0; round < 40; round++) {
      for (let step = random.below(8); step > 0; step--) {
        const index = Int32Array.from({ length: 3 }, () => random.below(1000));
        rows.update(index, Float32Array.of(1, 2, 3), 3, { error: random.float(), rate: 0.1 });
      }
      const table = tables[round % 2]!;
      const other = tables[1 - (round % 2)]!.slice();
      rows.endRound(table);
      expect(table).toEqual(weights);
      expect(tables[1 - (round % 2)]).toEqual(other);
    }
  },
);

test("a round copies what has changed and nothing else", () => {
  const weights = new Float32Array(100);
  const rows = new ChangedRows(new PlainUpdate(weights), weights);
  const table = new Float32Array(100).fill(7);
  rows.update(Int32Array.of(99), Float32Array.of(1), 1, { error: 1, rate: 1 });
  rows.endRound(table);
  expect(table[99]).toBe(1);
  expect(table[0]).toBe(7);
});
