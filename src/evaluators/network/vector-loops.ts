import { VECTORS_WASM } from "./vectors-wasm.ts";

/** The loops of assembly/vectors.ts. That file describes each loop and its parameters. */
interface VectorLoops {
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
  addChanges(count: number, rows: number, changes: number, codes: number, bytes: number): void;
}

/** Arrays in the loops' memory have a multiple of this many float64: the loops take four pairs at a time. */
const BLOCK = 8;

/** Returns `count`, rounded up to whole blocks. */
export function padded(count: number): number {
  return Math.ceil(count / BLOCK) * BLOCK;
}

/** The used part of the global `WebAssembly`, which TypeScript declares for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: VectorLoops };
};

const PAGE_BYTES = 1 << 16;

/** The compiled loops, which all memories share. */
let compiled: object | undefined;

/** The place of an array of float64 in the loops' memory. */
export interface Slot {
  /** The address of its first byte. */
  readonly at: number;
  /** The number of float64, whole blocks. */
  readonly count: number;
}

/**
 * Lays out the memory that the loops work on. First `reserve` gives every array its slot, one behind the
 * other from address 0; then `create` makes a memory that holds them all.
 */
export class VectorMemory {
  private end = 0;

  /** Reserves a slot for `count` float64, and for the zeros that fill up its last block. */
  reserve(count: number): Slot {
    const slot = { at: this.end, count: padded(count) };
    this.end += slot.count * Float64Array.BYTES_PER_ELEMENT;
    return slot;
  }

  /** Makes the memory, all zeros, and the loops that work on it. */
  create(): { readonly buffer: ArrayBuffer; readonly loops: VectorLoops } {
    const pages = Math.ceil(this.end / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    compiled ??= new WebAssembly.Module(
      Uint8Array.from(VECTORS_WASM.match(/../g)!, (byte) => Number.parseInt(byte, 16)),
    );
    return { buffer: memory.buffer, loops: new WebAssembly.Instance(compiled, { env: { memory } }).exports };
  }
}
