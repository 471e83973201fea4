import { readFileSync } from "node:fs";
import { TablesFile } from "../src/specs/files/tables-file.ts";
import { checkers, countsByMover } from "../test/games/endgames/build.ts";

/**
 * Checkers: the wins, losses and draws of a file of endgame tables, beside those of a second program:
 * `npm run bench -- checkers-endgames TABLES`, a file of `agon tables checkers CLASSES --out TABLES`.
 */
const [, , path = "tables.agon"] = process.argv;
const counted = new Set(readFileSync("test/fixtures/games/checkers-endgames.txt", "utf8").trim().split("\n"));
const file = TablesFile.read(path, checkers);
let agree = 0;
let differ = 0;
for (const { name } of file.parts)
  for (const line of countsByMover(file.classTable(name))) {
    if (counted.has(line)) agree++;
    else console.log(`${++differ}: ${line} differs`);
  }
console.log(`${file.parts.length} classes, from the sides of their movers: ${agree} agree, ${differ} differ`);
