/**
 * Who wins at hex on a board of at most 5x5, by trying every move on bit sets: `solve(own, other, player)` is true if
 * `player`, who is to move and has the cells `own`, wins. Cells are bits row by row; player 0 goes from top to bottom.
 */
export function bruteForce(size: number): (own: number, other: number, player: number) => boolean {
  const count = size * size;
  const cells = Array.from({ length: count }, (_, cell) => cell);
  const bitsOf = (isIn: (row: number, column: number) => boolean) =>
    cells.reduce((bits, cell) => bits | (isIn(Math.floor(cell / size), cell % size) ? 1 << cell : 0), 0);
  const near = cells.map((cell) => {
    const [row, column] = [Math.floor(cell / size), cell % size];
    // The two of the eight squares around that have row and column off by the same do not touch.
    return bitsOf((r, c) => Math.abs(r - row) <= 1 && Math.abs(c - column) <= 1 && r - row !== c - column);
  });
  const sides = [
    [bitsOf((row) => row === 0), bitsOf((row) => row === size - 1)],
    [bitsOf((_, column) => column === 0), bitsOf((_, column) => column === size - 1)],
  ] as const;

  const isConnected = (stones: number, player: number): boolean => {
    const [from, to] = sides[player]!;
    let reached = stones & from;
    for (let waiting = reached; waiting !== 0;) {
      const cell = 31 - Math.clz32(waiting);
      const found = near[cell]! & stones & ~reached;
      reached |= found;
      waiting = (waiting & ~(1 << cell)) | found;
    }
    return (reached & to) !== 0;
  };

  // The short diagonal is tried first: good moves save most of the others.
  const fromDiagonal = (cell: number) => Math.abs(Math.floor(cell / size) + (cell % size) - size + 1);
  const moves = cells.toSorted((a, b) => fromDiagonal(a) - fromDiagonal(b));
  const known = new Map<number, boolean>();
  const solve = (own: number, other: number, player: number): boolean => {
    if (isConnected(other, 1 - player)) return false;
    const key = (own * 2 ** count + other) * 2 + player;
    let wins = known.get(key);
    if (wins === undefined) {
      wins = moves.some(
        (cell) => (((own | other) >> cell) & 1) === 0 && !solve(other, own | (1 << cell), 1 - player),
      );
      known.set(key, wins);
    }
    return wins;
  };
  return solve;
}
