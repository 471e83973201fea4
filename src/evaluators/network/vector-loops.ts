import { VECTORS_WASM } from "./vectors-wasm.ts";

/**
 * The loops of assembly/vectors.ts, which says what each does and what its parameters are. All places
 * are addresses in bytes.
 */
export interface VectorLoops {
  addRows(
    count: number,
    rows: number,
    factors: number,
    kernel: number,
    sums: number,
    unitBytes: number,
  ): void;
  spreadRows(
    count: number,
    rows: number,
    factors: number,
    gradient: number,
    errors: number,
    unitBytes: number,
  ): void;
  applyLayer(
    units: number,
    rowBytes: number,
    kernel: number,
    bias: number,
    input: number,
    least: number,
    sums: number,
  ): void;
  backLayer(
    units: number,
    rowBytes: number,
    kernel: number,
    gradient: number,
    input: number,
    errors: number,
    errorsBefore: number,
    isRectified: number,
  ): void;
}

/** The loops take this many numbers at a time: four registers of two. */
const BLOCK = 8;

/** The number of float64 in whole blocks that `count` float64 take. */
export function padded(count: number): number {
  return Math.ceil(count / BLOCK) * BLOCK;
}

/** The part of the global that is used here; TypeScript knows it as a part of browsers only. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: VectorLoops };
};

const PAGE_BYTES = 1 << 16;

let compiled: object | undefined;

/** A place for float64 in a memory: its address in bytes, and how many there are, whole blocks. */
export interface Place {
  readonly at: number;
  readonly count: number;
}

/** Hands out places one after the other, then makes the memory that has them all, and the loops on it. */
export class VectorMemory {
  private end = 0;

  /** Room for `count` float64 and for the zeros that fill up the last block. */
  reserve(count: number): Place {
    const place = { at: this.end, count: padded(count) };
    this.end += place.count * Float64Array.BYTES_PER_ELEMENT;
    return place;
  }

  /** The zeroed memory, and the loops on it. */
  create(): { readonly buffer: ArrayBuffer; readonly loops: VectorLoops } {
    const pages = Math.ceil(this.end / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    compiled ??= new WebAssembly.Module(
      Uint8Array.from(VECTORS_WASM.match(/../g)!, (byte) => Number.parseInt(byte, 16)),
    );
    return { buffer: memory.buffer, loops: new WebAssembly.Instance(compiled, { env: { memory } }).exports };
  }
}
