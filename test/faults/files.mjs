/*
 * Files: a finished run and a finished training are damaged at random, and every command that reads them is run. It may
 * work or end with a sentence and exit code 1 or 2; it must not show a stack, hang, or write anything elsewhere. The
 * same holds for command lines that were changed.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import Database from "libsql";
import { mutateBytes, mutateText } from "./mutations.mjs";
import { agon, ending, isTold, put, ROOT } from "./support.mjs";

const DAMAGES = 8;
const LIMIT_MS = 60_000;
const LINES = 6;
const LINE_MS = 15_000;

const RUN = {
  name: "run",
  game: "tic-tac-toe",
  blocks: 3,
  openings: { randomPlies: 1 },
  entrants: [
    "random",
    "mcts:simulations=5",
    { name: "linear", agent: "greedy", evaluator: join(ROOT, "weights/tic-tac-toe/linear.json") },
  ],
};
const TRAINING = {
  name: "training",
  game: "tic-tac-toe",
  games: 200,
  evaluator: { kind: "linear", features: "lines" },
  learner: { lambda: 0.7, stepSize: 0.1 },
  exploration: { epsilon: 0.1 },
  checkpoints: 2,
  rating: { player: "greedy", pool: ["random"], blocks: 2 },
};

const more = { ...RUN, blocks: 4 };
const COMMANDS = {
  run: [
    ["rate", "damaged"],
    ["rate", "damaged", "--json"],
    ["rate", "damaged", "other"],
    ["verify", "damaged"],
    ["export", "damaged"],
    ["report", "damaged"],
    ["run", "run.json", "--out", "damaged", "--resume", "--workers", "1", "--quiet"],
    ["run", "more.json", "--out", "damaged", "--resume", "--workers", "1", "--quiet"],
  ],
  training: [
    ["train", "training.json", "--out", "damaged", "--resume", "--workers", "1", "--quiet"],
    ["rate", "damaged"],
    ["report", "damaged"],
    ["verify", "damaged"],
    ["inspect", "damaged/weights.json"],
    ["match", "tic-tac-toe", "greedy:evaluator=damaged/best.json", "random", "--blocks", "1", "--quiet"],
    ["analyze", "tic-tac-toe", "--agent", "greedy:evaluator=damaged/weights.json"],
  ],
};

/** Command lines that write nothing. */
const LINES_OF_WORDS = [
  "analyze connect-four --agent alpha-beta:depth=3,evaluator=threats --state 4444 --multipv 2",
  "analyze nim:piles=[3,5,7] --agent mcts:simulations=20 --seed 3 --json",
  "inspect training/weights.json --top 3 --match a --stage 1",
  "tree tic-tac-toe --agent alpha-beta:depth=2 --depth 1 --iteration all --json",
  "rate run --anchor random=0 --format csv",
  "rate run other --json",
  "verify run --sample 3 --json",
  "perft tic-tac-toe 3 --divide --state ........./0",
  "games go:size=7 --json",
  "agents mcts",
  "export run --format jsonl",
  "match tic-tac-toe random minimax:depth=1 --blocks 2 --random-plies 1 --workers 1",
  "check greedy:evaluator=open-lines --game tic-tac-toe --positions 2",
];

export async function filesCase({ dir, dice, report }) {
  for (const [name, config] of Object.entries({ run: RUN, more, training: TRAINING }))
    put(join(dir, `${name}.json`), config);
  const prepared = [
    await agon(["run", "run.json", "--out", "run", "--workers", "1", "--quiet"], { cwd: dir }),
    await agon(["run", "run.json", "--out", "other", "--seed", "2", "--workers", "1", "--quiet"], {
      cwd: dir,
    }),
    await agon(["train", "training.json", "--out", "training", "--workers", "1", "--quiet"], {
      cwd: dir,
    }),
  ];
  for (const ended of prepared) if (ended.code !== 0) report(`undamaged, ${ending(ended)}`);
  let faults = 0;
  for (let count = 0; count < DAMAGES; count++) {
    const kind = dice.pick(["run", "training"]);
    const target = join(dir, "damaged");
    remove(target);
    cpSync(join(dir, kind), target, { recursive: true });
    const damage = damageFolder(target, { dice, other: join(dir, kind === "run" ? "other" : "run") });
    const before = listing(dir);
    for (const args of dice.draw(COMMANDS[kind], 2)) {
      const openFiles = dice.chance(0.1) ? dice.between(22, 80) : undefined;
      const ended = await agon(args, { cwd: dir, limitMs: LIMIT_MS, openFiles });
      faults++;
      if (ended.late || (ended.code !== 0 && !isTold(ended) && !namesGames(args, ended)))
        report(`${damage}: ${ending(ended)}`, { kind: `${args[0]} ${stackKind(ended)}`, damage, ...ended });
      const written = listing(dir).filter((name) => !before.includes(name) && !name.startsWith("damaged"));
      if (written.length > 0) report(`${damage}: agon ${args.join(" ")} wrote ${written.join(", ")}`);
    }
  }
  remove(join(dir, "damaged"));
  for (let count = 0; count < LINES; count++) {
    const args = changedLine(dice);
    const before = listing(dir);
    const ended = await agon(args, { cwd: dir, limitMs: LINE_MS });
    faults++;
    // A command may take long: a search may be deep.
    if (!ended.late && ended.code !== 0 && !isTold(ended))
      report(ending(ended), { kind: `${args[0]} ${stackKind(ended)}`, ...ended });
    const written = listing(dir).filter((name) => !before.includes(name));
    if (written.length > 0) report(`agon ${args.join(" ")} wrote ${written.join(", ")}`);
  }
  return faults;
}

/** True if `agon verify` ended as it does when games differ: these are its result, and stand in its output. */
function namesGames([command], { code, stdout }) {
  return command === "verify" && code === 1 && /^\d+ of \d+ games verified, [1-9]\d* differ$/m.test(stdout);
}

/** A command line that was right, with one or two arguments changed, left out, doubled or exchanged. */
function changedLine(dice) {
  const words = LINES_OF_WORDS.map((line) => line.split(" "));
  const line = [...dice.pick(words)];
  for (let count = dice.between(1, 2); count > 0; count--) {
    const at = dice.below(line.length);
    // An argument cannot hold the end of a text in C.
    const changed = mutateText(line[at], words.flat(), dice).replaceAll("\0", "");
    line.splice(
      at,
      dice.pick([1, 1, 1, 0]),
      ...dice.pick([[changed], [changed], [changed], [], [dice.pick(dice.pick(words))]]),
    );
  }
  return line;
}

/** The first line of an error and where it was thrown. */
function stackKind({ stderr, late, signal, code }) {
  const place = /dist\/[\w/-]+\.js/.exec(stderr)?.[0] ?? "";
  const error = /^\w*Error[^\n"]{0,40}/m.exec(stderr)?.[0] ?? "";
  return `${late ? "hangs" : (signal ?? code)} ${error} ${place}`;
}

function remove(dir) {
  if (!existsSync(dir)) return;
  for (const name of ["", ...readdirSync(dir, { recursive: true })]) {
    const path = join(dir, name);
    if (existsSync(path) && statSync(path).isDirectory()) chmodSync(path, 0o755);
  }
  rmSync(dir, { recursive: true, force: true });
}

function listing(dir) {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).toSorted();
}

/** Damages a folder in one way; says what was done. */
function damageFolder(dir, { dice, other }) {
  const files = listing(dir).filter((name) => statSync(join(dir, name)).isFile());
  const name = dice.pick(files);
  const path = join(dir, name);
  const bytes = readFileSync(path);
  switch (dice.below(15)) {
    case 0:
      rmSync(path);
      return `${name} is missing`;
    case 1:
      put(path, "");
      return `${name} is empty`;
    case 2: {
      const from = dice.pick(files);
      put(path, readFileSync(join(dir, from)));
      return `${name} has the content of ${from}`;
    }
    case 3: {
      const theirs = join(other, dice.pick(["results.sqlite", "report.json"]));
      put(path, readFileSync(theirs));
      return `${name} has the content of another run's ${theirs}`;
    }
    case 4:
      rmSync(path);
      put(join(path, "x"), "");
      return `${name} is a folder`;
    case 5:
      rmSync(path);
      symlinkSync(dice.pick(["/nowhere/at/all", path, "/dev/null"]), path);
      return `${name} is a link that leads nowhere`;
    case 6:
      // Root may read and write all the same.
      if (process.getuid?.() !== 0)
        chmodSync(dice.chance(0.5) ? dir : path, dice.pick([0o000, 0o444, 0o555]));
      return `${name} or its folder cannot be written`;
    case 7:
      put(`${path}-wal`, mutateBytes(Buffer.alloc(5000, 7), dice));
      return `${name} has a journal of noise`;
    case 8:
      put(path, mutateText(bytes.toString("latin1"), [bytes.toString("latin1").slice(0, 1000)], dice));
      return `${name} is changed as text`;
    case 9: {
      const elsewhere = join(other, "results.sqlite");
      rmSync(path);
      symlinkSync(elsewhere, path);
      return `${name} is a link to ${elsewhere}`;
    }
    case 10:
      put(path, Buffer.concat([bytes, Buffer.from([dice.pick([0xff, 0xe9, 0xc0])])]));
      return `${name} is not UTF-8`;
    case 11: {
      const sql = dice.pick(FOREIGN);
      changeStore(join(dir, "results.sqlite"), sql);
      return `results.sqlite: ${sql}`;
    }
    default:
      put(path, mutateBytes(bytes, dice));
      return `${name} is changed in some bytes`;
  }
}

/** Parts of a database that no store of agon has. */
const FOREIGN = [
  "create trigger gone after insert on games begin delete from games; end",
  "alter table games rename to other; create view games as select * from other limit 0",
  "create view more as select 1",
];

function changeStore(path, sql) {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}
