import { createRandom } from "./random.ts";

/** `count` random 32-bit words for Zobrist hashing (Zobrist 1970); the same name gives the same table. */
export function zobristTable(name: string, count: number): Int32Array {
  const random = createRandom("zobrist", name);
  return Int32Array.from({ length: count }, () => random.int32());
}
