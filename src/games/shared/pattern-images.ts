/**
 * The image of features under a symmetry of the board: by feature, the one that it becomes where the symmetry moves all pieces.
 * Features are a piece of one player by cell, a piece of the other by cell, and then for each place its patterns of pieces, in
 * which each cell has a digit of base 3.
 *
 * @param symmetry by cell: where it goes
 * @param places the cells of each place, that of the lowest digit first; all have as many, and the symmetry moves places to
 * places
 */
export function patternImage(
  symmetry: readonly number[],
  places: readonly (readonly number[])[],
): Int32Array {
  const cells = symmetry.length;
  const patterns = 3 ** (places[0]?.length ?? 0);
  const image = new Int32Array(2 * cells + patterns * places.length);
  for (const [cell, other] of symmetry.entries()) {
    image[cell] = other;
    image[cells + cell] = cells + other;
  }
  const keyOf = (place: readonly number[]) => place.toSorted((a, b) => a - b).join();
  const numbers = new Map(places.map((place, number) => [keyOf(place), number]));
  for (const [number, place] of places.entries()) {
    const moved = place.map((cell) => symmetry[cell]!);
    const other = numbers.get(keyOf(moved))!;
    const from = 2 * cells + patterns * number;
    image[from] = 2 * cells + patterns * other;
    // The patterns whose highest digit is in place `at` follow from those below it.
    for (const [at, cell] of moved.entries()) {
      const below = 3 ** at;
      const worth = 3 ** places[other]!.indexOf(cell);
      for (let pattern = below; pattern < 3 * below; pattern++)
        image[from + pattern] = image[from + pattern - below] + worth;
    }
  }
  return image;
}
