/**
 * A slow, obvious game of Chinese checkers in cube coordinates (q + r + s = 0, the middle at 0, 0, 0):
 * the twin of the fast one in the tests. Nothing of it comes from the product.
 */
export interface Cube {
  readonly q: number;
  readonly r: number;
  readonly s: number;
}

const add = (a: Cube, b: Cube, times = 1): Cube => ({
  q: a.q + times * b.q,
  r: a.r + times * b.r,
  s: a.s + times * b.s,
});
const keyOf = ({ q, r, s }: Cube): string => `${q},${r},${s}`;
/** A sixth of a turn clockwise, rows (r) counted downwards. */
const turnCube = ({ q, r, s }: Cube): Cube => ({ q: 0 - r, r: 0 - s, s: 0 - q });

const NEIGHBOURS: readonly Cube[] = [
  { q: 1, r: -1, s: 0 },
  { q: 1, r: 0, s: -1 },
  { q: 0, r: 1, s: -1 },
  { q: -1, r: 1, s: 0 },
  { q: -1, r: 0, s: 1 },
  { q: 0, r: -1, s: 1 },
];

const HOMES: Readonly<Record<number, readonly number[]>> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [0, 1, 3, 4],
  6: [0, 1, 2, 3, 4, 5],
};

/** A hexagram is the union of two triangles. */
function isOnStar({ q, r, s }: Cube, side: number): boolean {
  return Math.max(q, r, s) <= side || Math.min(q, r, s) >= 0 - side;
}

/** Cells by name, `a1` the upper tip, in reading order. */
function twinCells(side: number): Map<string, Cube> {
  const cells = new Map<string, Cube>();
  for (let r = -2 * side; r <= 2 * side; r++) {
    let number = 0;
    for (let q = -2 * side; q <= 2 * side; q++) {
      const cell = { q, r, s: 0 - q - r };
      if (isOnStar(cell, side)) cells.set(`${"abcdefghijklmnopq"[r + 2 * side]}${++number}`, cell);
    }
  }
  return cells;
}

export class Twin {
  readonly side: number;
  readonly players: number;
  readonly cells: Map<string, Cube>;
  private readonly names: Map<string, string>;
  /** Names of the cells where each player's men stand. */
  readonly men: Set<string>[];
  turns = 0;

  constructor(side: number, players: number) {
    this.side = side;
    this.players = players;
    this.cells = twinCells(side);
    this.names = new Map([...this.cells].map(([name, cell]) => [keyOf(cell), name]));
    this.men = HOMES[players]!.map((home) => new Set(this.point(home)));
  }

  /** The cells of a point: the upper one turned. */
  point(number: number): string[] {
    return [...this.cells.values()].flatMap((cell) => {
      let turned = cell;
      for (let sixth = 0; sixth < number; sixth++) turned = turnCube(turned);
      return cell.r < 0 - this.side ? [this.names.get(keyOf(turned))!] : [];
    });
  }

  get turn(): number {
    return this.turns % this.players;
  }

  private ownerOf(name: string | undefined): number {
    return this.men.findIndex((men) => name !== undefined && men.has(name));
  }

  private nameAt(cell: Cube): string | undefined {
    return this.names.get(keyOf(cell));
  }

  moves(): string[] {
    const found = new Set<string>();
    for (const from of this.men[this.turn]!) {
      const cell = this.cells.get(from)!;
      for (const way of NEIGHBOURS) {
        const to = this.nameAt(add(cell, way));
        if (to !== undefined && this.ownerOf(to) < 0) found.add(`${from}-${to}`);
      }
      for (const to of this.jumpsOf(from, cell, new Set())) found.add(`${from}-${to}`);
    }
    return found.size > 0 ? [...found] : ["pass"];
  }

  /** The cells to which the man of cell `man` can jump on from `cell`; its own cell is empty meanwhile. */
  private jumpsOf(man: string, cell: Cube, seen: Set<string>): Set<string> {
    for (const way of NEIGHBOURS) {
      const over = this.nameAt(add(cell, way));
      const to = this.nameAt(add(cell, way, 2));
      if (over === man || this.ownerOf(over) < 0) continue;
      if (to === undefined || this.ownerOf(to) >= 0 || seen.has(to)) continue;
      seen.add(to);
      this.jumpsOf(man, this.cells.get(to)!, seen);
    }
    return seen;
  }

  play(move: string): void {
    if (move !== "pass") {
      const [from = "", to = ""] = move.split("-");
      this.men[this.turn]!.delete(from);
      this.men[this.turn]!.add(to);
    }
    this.turns++;
  }

  winner(): number {
    return this.men.findIndex((own, player) => {
      const target = this.point((HOMES[this.players]![player]! + 3) % 6);
      return target.every((name) => this.ownerOf(name) >= 0) && target.some((name) => own.has(name));
    });
  }

  /** Steps of single men on an empty board until all are in the target. */
  stepsLeft(player: number): number {
    const target = this.point((HOMES[this.players]![player]! + 3) % 6);
    const outward = (name: string) => {
      const { q, r, s } = this.cells.get(name)!;
      return Math.max(Math.abs(q), Math.abs(r), Math.abs(s));
    };
    const tip = this.cells.get(target.toSorted((a, b) => outward(b) - outward(a))[0]!)!;
    const toTip = (name: string) => {
      const { q, r, s } = this.cells.get(name)!;
      return Math.max(Math.abs(q - tip.q), Math.abs(r - tip.r), Math.abs(s - tip.s));
    };
    const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + toTip(name), 0);
    return sum(this.men[player]!) - sum(target);
  }

  /** Rows as the product writes them. */
  text(): string {
    const names = [...this.cells.keys()];
    const letters = [...new Set(names.map((name) => name[0]!))];
    const board = letters
      .map((letter) => names.filter((name) => name.startsWith(letter)))
      .map((row) => row.map((name) => "ABCDEF"[this.ownerOf(name)] ?? ".").join(""))
      .join("/")
      .replace(/\.+/g, (run) => String(run.length));
    return `${board} ${"ABCDEF"[this.turn]} ${Math.floor(this.turns / this.players) + 1}`;
  }

  /** The same position on the star turned clockwise, and the players with it. */
  turned(sixths: number): Twin {
    const shift = HOMES[this.players]!.indexOf(sixths);
    const copy = new Twin(this.side, this.players);
    copy.men.forEach((men) => men.clear());
    this.men.forEach((men, player) => {
      for (const name of men) copy.men[(player + shift) % this.players]!.add(this.turnedName(name, sixths));
    });
    copy.turns = this.turns + shift;
    return copy;
  }

  turnedName(name: string, sixths: number): string {
    let cell = this.cells.get(name)!;
    for (let sixth = 0; sixth < sixths; sixth++) cell = turnCube(cell);
    return this.names.get(keyOf(cell))!;
  }
}
