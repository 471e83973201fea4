/**
 * A slow, obvious chess: letters on a list of 64 squares (a8 first, as FEN counts), moves made on a
 * copy and dropped when the king could then be taken, repetitions counted in a list of all positions.
 * The twin of the fast one in the tests.
 */
export interface TwinPosition {
  readonly squares: readonly string[];
  readonly white: boolean;
  readonly castling: string;
  /** The square that a pawn has just jumped over, or -1. */
  readonly jumped: number;
  readonly quiet: number;
}

export interface TwinMove {
  /** As UCI writes it. */
  readonly name: string;
  readonly after: TwinPosition;
}

export function twinFromFen(fen: string): TwinPosition {
  const [pieces, side, castling, enPassant, quiet] = fen.split(" ") as [
    string,
    string,
    string,
    string,
    string,
  ];
  const squares = Array.from(pieces.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(Number(digit))));
  return {
    squares,
    white: side === "w",
    castling: castling.replace("-", ""),
    jumped: squares.findIndex((_, square) => nameOf(square) === enPassant),
    quiet: Number(quiet),
  };
}

const nameOf = (square: number) => "abcdefgh"[square % 8]! + (8 - Math.floor(square / 8));
const isWhite = (piece: string) => piece >= "A" && piece <= "Z";
const isOwn = (piece: string, white: boolean) => piece !== "." && isWhite(piece) === white;

/** The square so many files and ranks (up the board) away, or -1 when that is off the board. */
function shift(square: number, files: number, ranks: number): number {
  const file = (square % 8) + files;
  const row = Math.floor(square / 8) - ranks;
  return file >= 0 && file < 8 && row >= 0 && row < 8 ? 8 * row + file : -1;
}

const STRAIGHT = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
const OBLIQUE = [
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
] as const;
const JUMPS = [
  [1, 2],
  [2, 1],
  [-1, 2],
  [-2, 1],
  [1, -2],
  [2, -1],
  [-1, -2],
  [-2, -1],
] as const;

/** The moves of the piece on a square, as pairs of target and promotion; its king may be left in check. */
function targets(position: TwinPosition, from: number): [number, string][] {
  const { squares, white, jumped } = position;
  const found: [number, string][] = [];
  const kind = squares[from]!.toLowerCase();
  if (kind === "p") {
    const up = white ? 1 : -1;
    const add = (to: number) => {
      const last = to < 8 || to >= 56;
      for (const promotion of last ? ["n", "b", "r", "q"] : [""]) found.push([to, promotion]);
    };
    const one = shift(from, 0, up);
    if (squares[one] === ".") {
      add(one);
      const two = shift(from, 0, 2 * up);
      const home = Math.floor(from / 8) === (white ? 6 : 1);
      if (home && squares[two] === ".") add(two);
    }
    for (const side of [-1, 1]) {
      const to = shift(from, side, up);
      if (to >= 0 && (isOwn(squares[to]!, !white) || to === jumped)) add(to);
    }
    return found;
  }
  const steps = {
    n: JUMPS,
    b: OBLIQUE,
    r: STRAIGHT,
    q: [...STRAIGHT, ...OBLIQUE],
    k: [...STRAIGHT, ...OBLIQUE],
  }[kind]!;
  for (const [files, ranks] of steps) {
    for (let to = shift(from, files, ranks); to >= 0; to = shift(to, files, ranks)) {
      if (isOwn(squares[to]!, white)) break;
      found.push([to, ""]);
      if (squares[to] !== "." || kind === "n" || kind === "k") break;
    }
  }
  return found;
}

/** True if a player could take something on the square. */
function attacks(position: TwinPosition, white: boolean, square: number): boolean {
  const squares = position.squares.with(square, white ? "k" : "K");
  const mover = { ...position, squares, white, jumped: -1 };
  return squares.some(
    (piece, from) => isOwn(piece, white) && targets(mover, from).some(([to]) => to === square),
  );
}

function twinInCheck(position: TwinPosition, white = position.white): boolean {
  return attacks(position, !white, position.squares.indexOf(white ? "K" : "k"));
}

function move(position: TwinPosition, from: number, to: number, promotion: string): TwinPosition {
  const squares = [...position.squares];
  const { white } = position;
  const piece = squares[from]!;
  const pawn = piece.toLowerCase() === "p";
  const capture = squares[to] !== ".";
  squares[from] = ".";
  squares[to] = promotion === "" ? piece : white ? promotion.toUpperCase() : promotion;
  if (pawn && to === position.jumped) squares[shift(to, 0, white ? -1 : 1)] = ".";
  if (piece.toLowerCase() === "k" && Math.abs(to - from) === 2) {
    squares[to > from ? from + 3 : from - 4] = ".";
    squares[(from + to) / 2] = white ? "R" : "r";
  }
  const touched = [nameOf(from), nameOf(to)];
  const lost: Record<string, string> = { a1: "Q", e1: "KQ", h1: "K", a8: "q", e8: "kq", h8: "k" };
  const gone = touched.map((name) => lost[name] ?? "").join("");
  return {
    squares,
    white: !white,
    castling: Array.from(position.castling)
      .filter((right) => !gone.includes(right))
      .join(""),
    jumped: pawn && Math.abs(to - from) === 16 ? (from + to) / 2 : -1,
    quiet: pawn || capture ? 0 : position.quiet + 1,
  };
}

/** Every legal move, in no particular order. */
export function twinMoves(position: TwinPosition): TwinMove[] {
  const { squares, white, castling } = position;
  const found: TwinMove[] = [];
  const add = (from: number, to: number, promotion: string) => {
    const after = move(position, from, to, promotion);
    if (!twinInCheck(after, white)) found.push({ name: nameOf(from) + nameOf(to) + promotion, after });
  };
  squares.forEach((piece, from) => {
    if (isOwn(piece, white)) for (const [to, promotion] of targets(position, from)) add(from, to, promotion);
  });
  for (const right of white ? "KQ" : "kq") {
    const king = squares.indexOf(white ? "K" : "k");
    const side = right.toLowerCase() === "k" ? 1 : -1;
    const between = side === 1 ? [1, 2] : [-1, -2, -3];
    if (!castling.includes(right) || between.some((files) => squares[king + files] !== ".")) continue;
    if (![0, 1].some((files) => attacks(position, !white, king + side * files)))
      add(king, king + 2 * side, "");
  }
  return found;
}

/** The key of a position for repetitions: en passant counts only if a capture is legal. */
export function twinKey(position: TwinPosition): string {
  const { squares, white, castling, jumped } = position;
  const capturable = twinMoves(position).some(
    ({ name }) =>
      name.endsWith(nameOf(jumped)) && squares[fromOf(name)]!.toLowerCase() === "p" && name[0] !== name[2],
  );
  return `${squares.join("")} ${white} ${castling} ${jumped >= 0 && capturable ? nameOf(jumped) : "-"}`;
}

function fromOf(name: string): number {
  return name.charCodeAt(0) - 97 + 8 * (8 - Number(name[1]));
}

/** Why the game is over after these positions, the last one being current; undefined when it goes on. */
export function twinEnding(positions: readonly TwinPosition[]): "mate" | "draw" | undefined {
  const last = positions.at(-1)!;
  if (twinMoves(last).length === 0) return twinInCheck(last) ? "mate" : "draw";
  const keys = positions.map(twinKey);
  if (last.quiet >= 100 || keys.filter((key) => key === keys.at(-1)).length >= 3) return "draw";
  const pieces = last.squares.map((piece, square) => ({
    kind: piece.toLowerCase(),
    colour: (square + Math.floor(square / 8)) % 2,
  }));
  const left = pieces.filter(({ kind }) => kind !== "." && kind !== "k");
  const bishopsOfOneColour = left.every(({ kind, colour }) => kind === "b" && colour === left[0]!.colour);
  const loneMinor = left.length === 1 && "nb".includes(left[0]!.kind);
  return bishopsOfOneColour || loneMinor ? "draw" : undefined;
}
