#!/usr/bin/env node
// Plays blind tic-tac-toe (phantom-tic-tac-toe) by its own view of the board: it tries the cell with the best open lines.
import { createInterface } from "node:readline";

const CELLS = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) =>
  line.split("").map(Number),
);

/** The worth of a cell: lines without a stone of the other, the more so the more own stones they have, and lines to stop. */
function worth(cell, board, own) {
  let sum = 0;
  for (const line of LINES.filter((one) => one.includes(cell))) {
    const stones = line.map((at) => board[at]).filter((stone) => stone !== ".");
    const owns = stones.filter((stone) => stone === own).length;
    if (owns === stones.length) sum += 10 ** owns;
    else if (owns === 0) sum += 5 ** stones.length;
  }
  return sum;
}

/** A generator of random numbers below 1 from four whole numbers, so that a game is played the same way again. */
function randomFrom([a]) {
  return () => {
    a = (Math.imul(a, 1664525) + 1013904223) | 0;
    return (a >>> 0) / 2 ** 32;
  };
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let random = Math.random;
let own = "x";

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    if (message.game.id !== "phantom-tic-tac-toe" || message.game.size !== 3)
      say({ type: "refuse", reason: "it plays blind tic-tac-toe on 3 x 3 cells alone" });
    else say({ type: "hello", protocol: 1, name: "blind", wants: "texts", view: true });
  }
  if (message.type === "new-game") {
    random = randomFrom(message.seed);
    own = "xo"[message.seat];
  }
  if (message.type === "decide") {
    const board = message.board.split("\n").slice(0, 3).join(" ").split(" ");
    const tried = message.legal.map((name) => [worth(CELLS.indexOf(name), board, own) + random(), name]);
    const [, action] = tried.reduce((best, one) => (one[0] > best[0] ? one : best));
    say({ type: "decision", action });
  }
});
