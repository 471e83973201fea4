#!/usr/bin/env node
// Plays chess without knowing its rules: it mates if it can, or else takes the most valuable piece that it may take.
import { createInterface } from "node:readline";

const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** The piece on a square such as "e4", in a position in FEN; undefined if the square is empty. */
function pieceOn(square, position) {
  const rank = position.split("/")[8 - Number(square[1])].split(" ")[0];
  const squares = rank.replaceAll(/\d/g, (count) => " ".repeat(Number(count)));
  return squares["abcdefgh".indexOf(square[0])].trim().toLowerCase();
}

/** The worth of a move such as "Qxd5+": what it takes, and a new queen. */
function likes(move, position) {
  if (move.endsWith("#")) return 100;
  const [, capture, square] = /(x?)([a-h][1-8])(?:=.)?\+?$/.exec(move) ?? [];
  const taken = capture === "x" ? (WORTH[pieceOn(square, position)] ?? WORTH.p) : 0;
  return taken + (move.includes("=Q") ? WORTH.q : 0);
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

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello")
    say({ type: "hello", protocol: 1, name: "captures", wants: "texts", view: true });
  if (message.type === "new-game") random = randomFrom(message.seed);
  if (message.type === "decide") {
    const liked = message.legal.map((move) => [likes(move, message.position) + random(), move]);
    const [, action] = liked.reduce((best, one) => (one[0] > best[0] ? one : best));
    say({ type: "decision", action });
  }
});
