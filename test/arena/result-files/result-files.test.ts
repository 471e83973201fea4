import { Buffer } from "node:buffer";
import { linkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GameList, roundOf } from "../../../src/arena/result-files/game-list.ts";
import { loadResults } from "../../../src/arena/result-files/load.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { shuffled } from "../../ratings/records.ts";
import { slowTest } from "../../support/thorough.ts";

/** Writes a file into a folder of its own. */
function write(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

const load = async (name: string, content: string | Uint8Array) => loadResults([write(name, content)]);

/** The blocks as texts: players by seat, and the returns. */
function blocksOf(records: GameList): string[] {
  return Array.from(records.blocks(), (block) =>
    block
      .map(({ seats, returns }) => `${seats.map((seat) => records.names[seat]).join("-")} ${returns.join()}`)
      .join("; "),
  );
}

const pgnGame = (white: string, black: string, result: string, round = "?") =>
  `[Event "e"]\n[Site "s"]\n[Round "${round}"]\n[White "${white}"]\n[WhiteElo "2000"]\n[Black "${black}"]\n` +
  `[Result "${result}"]\n\n1. e4 {[%clk 0:01:00] a comment\n[with a line that begins so]} e5 ${result}\n\n`;

describe("PGN", () => {
  test("names, results and rounds are read; unfinished games are counted", async () => {
    const text = [
      pgnGame("A", "B", "1-0", "1"),
      pgnGame("B", "A", "1/2-1/2", "1"),
      pgnGame("A", "C", "0-1"),
      pgnGame("A", "D", "*"),
    ].join("");
    const loaded = await load("a.pgn", text);
    expect(loaded.entrants).toEqual(["A", "B", "C", "D"]);
    expect(loaded.warnings).toEqual(["left out: 1 unfinished game"]);
    expect(blocksOf(loaded.records)).toEqual(["A-B 1,-1; B-A 0,0", "A-C -1,1"]);
  });

  test("files of other systems: byte-order mark, carriage returns, no line feed at the end, Latin-1, escapes", async () => {
    const text = pgnGame("J\xfcrgen", 'a \\"b\\" \\\\', "1-0").trimEnd().replaceAll("\n", "\r\n");
    expect((await load("b.pgn", Buffer.from(text, "latin1"))).entrants).toEqual(["Jürgen", 'a "b" \\']);
    expect((await load("c.pgn", `\ufeff${text}`)).entrants).toEqual(["Jürgen", 'a "b" \\']);
  });

  test("tags alone make games, too", async () => {
    const text = pgnGame("A", "B", "1-0").replace(/^1\. .*\n.*\n/m, "");
    expect((await load("d.pgn", text.repeat(3))).records.size).toBe(3);
  });

  test("lines longer than what is read at once", async () => {
    const long = `${"1. e4 ".repeat(200_000)}\n`;
    const text = pgnGame("A", "B", "1-0") + long + pgnGame("B", "A", "0-1") + long;
    expect((await load("e.pgn", text)).records.size).toBe(2);
  });

  test("wrong and missing tags are named with their lines", async () => {
    const wrong =
      pgnGame("A", "B", "2-0") +
      '[White "A]\n[Black ""]\n[Result "1-0"]\n\n1-0\n\n' +
      '[White "A"]\n[White "B"]\n\n1. e4 1-0\n';
    const path = write("f.pgn", wrong);
    await expect(loadResults([path])).rejects.toThrow(
      [
        'line 7: Result is "2-0"; allowed: 1-0, 0-1, 1/2-1/2, *',
        'line 12: [White "A] is no tag; write [White "..."]',
        'line 13: Black is ""; it must be the name of a player',
        "line 18: the game has no Black and no Result",
        "line 19: the game has no Black",
      ]
        .map((line) => `${path}: ${line}`)
        .join("\n"),
    );
    await expect(load("g.pgn", "1. e4 e5\n".repeat(3))).rejects.toThrow("has no game, and ");
    await expect(load("h.pgn", '[White "A"]\n[White "B"]\n'.repeat(1000))).rejects.toThrow("and 80 more");
    await expect(load("i.pgn", "")).rejects.toThrow("has no game");
    await expect(load("j.pgn", pgnGame("A", "B", "*"))).rejects.toThrow(
      "has no finished game, and 1 unfinished game",
    );
  });
});

describe("PGN from the wild", () => {
  const both = async (text: string) => blocksOf((await load("a.pgn", text)).records);
  const two = pgnGame("A", "B", "1-0") + pgnGame("B", "A", "1/2-1/2");
  const blocks = ["A-B 1,-1", "B-A 0,0"];

  test.each<[string, string]>([
    ["a comment before the first tag", `{ Games of our club,\ncollected by hand }\n\n${two}`],
    ["blanks inside the brackets", two.replaceAll("[White", "[ White").replaceAll('"]', '" ]')],
    ["tags and moves on one line", two.replaceAll(/\]\n+/g, "] ")],
    ["quotes in a tag that is not read", two.replaceAll('[Event "e"]', '[Event "5th "Memorial" Open"]')],
    [
      "tags alone",
      two
        .split("\n")
        .filter((line) => /^\[\w/.test(line))
        .join("\n"),
    ],
    ["names of tags with digits, hyphens and blanks", two.replaceAll("[Site", '[1st-Tag of "b"]\n[_x')],
    [
      "results on lines of their own",
      two.replaceAll(/ (\S+)\n\n\[/g, "\n$1\n\n[").replaceAll(/\{[^}]*\}/g, ""),
    ],
    ["moves of other games behind", two.replace(" e5 1-0", " e5 1-0 1. d4 *")],
    ["a variation that is not closed", two.replace(" e5 1-0", " e5 (1... c5 1-0")],
    ["results by the moves alone", two.replaceAll(/\[Result .*\n/g, "")],
    ["the half as a sign", two.replaceAll("1/2-1/2", "½-½")],
    ["names of tags in small letters", two.replaceAll(/\[(White|Black|Result)/g, (tag) => tag.toLowerCase())],
    ["other quotes", two.replaceAll(/\[(\w+) "(.*)"\]/g, "[$1 '$2']").replaceAll("'B'", "“B”")],
    [
      "colons behind the names of tags",
      two.replaceAll(/^\[(\w+) /gm, "[$1: ").replace("[White:", "[White :"),
    ],
    ["a Result that the moves tell", two.replaceAll(/\[Result .*/g, '[Result "?"]')],
    ["a Round that is no tag", two.replaceAll("[Site", "[Round 1]\n[Site")],
    ["what is no tag", `[Annotator A. Body]\n${two}`],
  ])("%s", async (_, text) => expect(await both(text)).toEqual(blocks));

  test("tags in a comment are none", async () => {
    const text = two.replace("a comment", 'as in\n[White "C"]\n[Black "D"]\n[Result "0-1"]\n1. e4');
    expect(await load("a.pgn", text)).toMatchObject({ entrants: ["A", "B"], warnings: [] });
  });

  test("what is passed over is told", async () => {
    const { warnings } = await load("a.pgn", `${two.replace(" e5 1-0", " e5 (1... c5 1-0")} 1-0`);
    expect(warnings).toEqual([
      expect.stringMatching(
        /a\.pgn: 2 faults passed over: line 10: the variation .*; line 23: the game has no players/,
      ),
    ]);
  });

  test("names that differ in blanks are two players", async () => {
    const { entrants } = await load("a.pgn", pgnGame("A  B", "A B", "1-0"));
    expect(entrants).toEqual(["A  B", "A B"]);
  });

  test("Latin-1, UTF-16 and packed files are read, and it says so", async () => {
    const latin = pgnGame("Müller", "Möller", "1-0");
    const packed = await load("a.pgn.gz", gzipSync(Buffer.from(latin, "latin1")));
    expect(packed.entrants).toEqual(["Müller", "Möller"]);
    expect(packed.warnings).toEqual([
      expect.stringMatching(/a\.pgn\.gz: lines that are not UTF-8 are read as windows-1252$/),
    ]);
    const wide = await load("b.pgn", Buffer.from(`\ufeff${latin}`, "utf16le"));
    expect([wide.entrants, wide.warnings]).toEqual([["Müller", "Möller"], []]);
    const plain = await load("d.pgn", two);
    expect(blocksOf((await load("d.pgn", gzipSync(two))).records)).toEqual(blocksOf(plain.records));
    expect(blocksOf((await load("d.pgn.gz", two)).records)).toEqual(blocksOf(plain.records));
    expect(blocksOf((await load("u.pgn", Buffer.from(two, "utf16le"))).records)).toEqual(
      blocksOf(plain.records),
    );
    await expect(load("c.pgn.gz", gzipSync(two).subarray(0, 40))).rejects.toThrow(
      /c\.pgn\.gz: cannot be read: unexpected end of file/,
    );
  });

  test("games with itself are left out, and named", async () => {
    const text = pgnGame("A", "A", "1-0");
    expect(await load("a.pgn", two + text + text)).toMatchObject({
      records: { size: 2 },
      warnings: ['left out: 2 games of "A" with itself'],
    });
    await expect(load("b.pgn", text)).rejects.toThrow('has no game, and left out: 1 game of "A" with itself');
  });

  test("a file that is named twice is read once", async () => {
    const path = write("a.pgn", two);
    const link = join(temporaryFolder(), "link.pgn");
    symlinkSync(path, link);
    const hard = join(dirname(path), "hard.pgn");
    linkSync(path, hard);
    const { records, warnings } = await loadResults([path, link, hard]);
    const told = [link, hard].map((name) => `${name}: is named twice; it is read once`);
    expect([records.size, warnings]).toEqual([2, told]);
  });
});

describe("CSV", () => {
  const games = async (text: string) => blocksOf((await load("a.csv", text)).records);

  test.each([
    ["white,black,result\nA,B,1-0\nB,A,1/2-1/2\n", ["A-B 1,-1", "B-A 0,0"]],
    ["Round, Player1 ,PLAYER2,score\n1,A,B,0.5\n1,B,A,0\n", ["A-B 0,0; B-A -1,1"]],
    ['player1,note,player2,score1,score2\r\n"A, ""x""",?,B,3.5,7\r\n', ['A, "x"-B 3.5,7']],
    ["player1,player2,player3,place1,place2,place3\nA,B,C,2,1,2", ["A-B-C -2,-1,-2"]],
    ["white;black;score\nA;B;0,5\n\nB;A;1,00\n", ["A-B 0,0", "B-A 1,-1"]],
    ["white\tblack\tscore\nA, the first\tB\t1.0\n", ["A, the first-B 1,-1"]],
    ['white,black,result,score\n"A\nA",B,1-0,1.0\nB,A,*,\n', ["A\nA-B 1,-1"]],
  ])("%j", async (text, blocks) => expect(await games(text)).toEqual(blocks));

  test("what spreadsheets write around the rows is passed over", async () => {
    const { records } = await load("s.csv", 'sep=;\n"white";"black";"result"\nA;B;1 - 0\nA;B;0,5-0,5\n;;\n');
    expect(blocksOf(records)).toEqual(["A-B 1,-1", "A-B 0,0"]);
  });

  test("unfinished games are counted", async () => {
    expect(await load("u.csv", "white,black,result\nA,B,*\nA,B,1-0\n")).toMatchObject({
      warnings: ["left out: 1 unfinished game"],
    });
  });

  test.each([
    ["white,back,result\n", "line 1: names no players; allowed: white, black"],
    ["player1,player2,player3,score\n", "line 1: names no results of 3 players; allowed: white, black"],
    ["white,black,result\nA,B,win\n", 'line 2: result is "win"; allowed: 1-0, 0-1, 1/2-1/2, *'],
    ["white,black,score\n\nA,B,2\n", 'line 3: score is "2"; allowed: the first player\'s 1, 0, 0.5'],
    ["white,black,result,score\nA,B,1-0,0\n", "line 2: result is 1-0, and score is 0: they contradict"],
    [
      "white,black,result,score1,score2\nA,B,1-0,0,1\n",
      "line 2: result is 1-0, and scores are 0 and 1: they contradict",
    ],
    [
      "player1,player2,score1,score2,place1,place2\nA,B,7,3,2,1\n",
      "line 2: scores are 7 and 3, and places are 2 and 1: they contradict",
    ],
    ["white,black,White,result\n", "line 1: has the column white twice"],
    ['white,black,score\nA,B,1\n"A,B,1\nA,B,1\nA,B,1\n', "line 3: a quote that is opened here is not closed"],
    ['white,black,score\n"A\nA",B,1\nB,A,2\n', 'line 4: score is "2"'],
    ['white,black,score\nA "x",B,1\n', "line 2: a quote within a cell must be doubled"],
    ["white,black,score\nA,B\n", "line 2: has 2 cells, and the first line has 3"],
    ["white,black,score\n,B,1\n", "line 2: has a player without a name"],
    ['white,black,score\n"A,B,1\n', "line 2: a quote that is opened here is not closed"],
    ["player1,player2,score1,score2\nA,B,1,\n", 'line 2: score2 is ""; it must be a number'],
    [
      "player1,player2,place1,place2\nA,B,1,0\n",
      'line 2: place2 is "0"; it must be a whole number from 1 on',
    ],
    ["", "is empty; the first line names the columns"],
  ])("%j: %s", async (text, message) => expect(games(text)).rejects.toThrow(message));
});

test("several files are one list, by the players' names", async () => {
  const paths = [
    write("one.pgn", pgnGame("A", "B", "1-0", "7.1")),
    write("two.csv", "white,black,result,round\nB,A,1-0,7.2\n"),
  ];
  const { game, records } = await loadResults(paths);
  expect(game).toBe("one.pgn, two.csv");
  expect(blocksOf(records)).toEqual(["A-B 1,-1; B-A 1,-1"]);
  await expect(loadResults([...paths, temporaryFolder()])).rejects.toThrow(
    "is no file of results; allowed: ",
  );
});

describe("blocks of games played elsewhere", () => {
  test.each([
    ["12", "12.1", true],
    ["12.1", "12.2", true],
    ["12.1.1", "12.1.2", true],
    ["12.1.1", "12.2.1", false],
    ["1", "2", false],
    ["final 1", "final 2", false],
    ["final 1.1", "final 1.2", true],
  ])("round %s and round %s", (one, other, same) => expect(roundOf(one) === roundOf(other)).toBe(same));

  test.each(["", "?", "-"])("%j is no round", (text) => expect(roundOf(text)).toBe(0));

  test("are the games of the same players in a round, if all had each seat equally often", () => {
    const list = new GameList();
    const [a, b, c] = ["A", "B", "C"].map((name) => list.numberOf(name));
    const add = (seats: number[], round: string) =>
      list.add(
        seats,
        seats.map(() => 0),
        roundOf(round),
      );
    for (const [one, other] of [
      [a, b],
      [b, a],
      [c, a],
      [a, c],
    ])
      add([one!, other!], "1");
    for (const [one, other] of [
      [a, b],
      [a, b],
      [b, a],
    ])
      add([one!, other!], "2");
    for (const round of ["?", "?"]) add([a!, b!], round);
    expect(Array.from(list.blocks(), (block) => block.length)).toEqual([2, 2, 1, 1, 1, 1, 1]);
    expect(() => add([0, 1, 2], "3")).toThrow("games of different numbers of players");
    const three = new GameList();
    for (const shift of [0, 1, 2, 0])
      three.add(
        [0, 1, 2].map((seat) => (seat + shift) % 3),
        [0.5, 1e9, 128],
        shift === 0 ? 5 : 3,
      );
    for (const shift of [0, 1, 2])
      three.add(
        [0, 1, 2].map((seat) => (seat + shift) % 3),
        [0, 0, 0],
        7,
      );
    expect(Array.from(three.blocks(), (block) => block.length)).toEqual([1, 1, 1, 1, 3]);
    expect([...three.blocks()][0]![0]!.returns).toEqual([0.5, 1e9, 128]);
  });

  slowTest("do not depend on the order of the games", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = createRandom("rounds", seed);
        const games = Array.from({ length: 60 }, () => {
          const white = random.below(4);
          return {
            seats: [white, (white + 1 + random.below(3)) % 4],
            result: random.below(3) - 1,
            round: random.below(8),
          };
        });
        const report = (order: typeof games) => {
          const list = new GameList();
          for (const name of ["A", "B", "C", "D"]) list.numberOf(name);
          for (const { seats, result, round } of order) list.add(seats, [result, 0 - result], round);
          return createReport({ game: "", entrants: list.names, records: list });
        };
        expect(report(shuffled(games, random))).toEqual(report(games));
      }),
      { numRuns: 50, seed: 3 },
    );
  });
});
