/** The kinds of squares. Nothing happens on a square to rest. */
const REST = 0;
export const STREET = 1;
export const STATION = 2;
const UTILITY = 3;
export const TAX = 4;
const JAIL = 5;
/** The square that sends to jail. */
export const ARREST = 6;

/** The most houses on a street; the fifth is what other games call a hotel. */
export const MAX_HOUSES = 5;
/** The rent of a street by its houses, for each 50 of its price. Without houses the rent doubles in a whole group. */
const RENTS = [4, 20, 60, 150, 200, 250] as const;
const PRICE_STEP = 50;
const STATION_PRICE = 200;
const UTILITY_PRICE = 150;

/** A track of squares with the amounts of money that belong to it. Tables are by square. */
export interface Board {
  readonly names: readonly string[];
  readonly kinds: Uint8Array;
  /** The index in `groups`; -1 for a square that nobody can own. */
  readonly groupOf: Int8Array;
  /** The squares of each group, ascending: streets of one letter, all stations, all utilities. */
  readonly groups: readonly Uint8Array[];
  readonly groupNames: readonly string[];
  /** 0 for a square that nobody can own. A multiple of 50, so that a tenth of it is whole. */
  readonly prices: Int32Array;
  /** The cost of a house; 0 where none can stand. */
  readonly houseCosts: Int32Array;
  /** The rent of a street at [6 * square + houses]. */
  readonly rents: Int32Array;
  readonly jail: number;
  /** The money for reaching or passing the start. */
  readonly salary: number;
  readonly tax: number;
  /** The cost of leaving jail before the dice are rolled. */
  readonly fine: number;
}

/**
 * The squares in the order of the track: a letter of `abcdefgh` is a street of that group, `s` a station, `u` a utility,
 * `t` a tax, `j` the jail, `!` the square that sends to it, and `.` a square to rest. The first is the start.
 */
const TRACKS = {
  small: { squares: ".aajbbucc!st", salary: 50, tax: 100, fine: 50 },
  full: { squares: ".a.atsb.bbjcuccsd.dd.e.eesffuf!gg.gs.hth", salary: 200, tax: 150, fine: 50 },
} as const;

export type BoardName = keyof typeof TRACKS;
export const BOARD_NAMES = ["small", "full"] as const satisfies readonly BoardName[];

const KINDS: Readonly<Record<string, readonly [kind: number, name: string]>> = {
  ".": [REST, "rest"],
  s: [STATION, "s"],
  u: [UTILITY, "u"],
  t: [TAX, "tax"],
  j: [JAIL, "jail"],
  "!": [ARREST, "arrest"],
};

/**
 * The board of that name. A street costs 50 in group `a`, 100 in `b`, up to 400 in `h`. A house costs 50 in groups `a` and
 * `b`, 100 in `c` and `d`, 150 in `e` and `f`, 200 in `g` and `h`.
 */
export function createBoard(board: BoardName): Board {
  const { squares: signs, salary, tax, fine } = TRACKS[board];
  const size = signs.length;
  const groupNames = [...new Set(signs)].filter((sign) => /[a-hsu]/.test(sign)).toSorted();
  const [kinds, groupOf] = [new Uint8Array(size), new Int8Array(size)];
  const [prices, houseCosts] = [new Int32Array(size), new Int32Array(size)];
  const rents = new Int32Array(size * RENTS.length);
  const counts = new Map<string, number>();
  const names = Array.from(signs, (sign, square) => {
    const [kind, name] = KINDS[sign] ?? [STREET, sign];
    kinds[square] = kind;
    groupOf[square] = groupNames.indexOf(sign);
    if (kind === STREET) {
      const rank = sign.charCodeAt(0) - "a".charCodeAt(0) + 1;
      prices[square] = PRICE_STEP * rank;
      houseCosts[square] = PRICE_STEP * Math.ceil(rank / 2);
      rents.set(
        RENTS.map((rent) => rent * rank),
        RENTS.length * square,
      );
    } else if (kind === STATION) prices[square] = STATION_PRICE;
    else if (kind === UTILITY) prices[square] = UTILITY_PRICE;
    if (square === 0) return "start";
    if (kind === JAIL || kind === ARREST) return name;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}${count}`;
  });
  const groups = groupNames.map((_, group) =>
    Uint8Array.from([...groupOf.keys()].filter((square) => groupOf[square] === group)),
  );
  const jail = signs.indexOf("j");
  return {
    names,
    kinds,
    groupOf,
    groups,
    groupNames,
    prices,
    houseCosts,
    rents,
    jail,
    salary,
    tax,
    fine,
  };
}

/** The column and the row of a square, for a track that runs clockwise around a board, from its upper left corner. */
export function spotOf(square: number, size: number): { readonly x: number; readonly y: number } {
  const side = size / 4;
  const along = square % side;
  const corners = [
    { x: along, y: 0 },
    { x: side, y: along },
    { x: side - along, y: side },
    { x: 0, y: side - along },
  ] as const;
  return corners[Math.floor(square / side)]!;
}
