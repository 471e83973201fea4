/*
 * A small assembler for WebAssembly: what typed arrays in plain loops are too slow for, two or four
 * numbers at a time. Encodings are those of the WebAssembly core specification 2.0, chapter 5.
 */

export const I32 = 0x7f;
export const V128 = 0x7b;

/** Instructions: bytes, nested as they come. */
export type Code = readonly (number | Code)[];

export interface WasmFunction {
  readonly name: string;
  /** How many int32 parameters; they are locals 0.. */
  readonly parameters: number;
  /** Types of the locals after them. */
  readonly locals: readonly number[];
  readonly code: Code;
}

export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number): Code => [0x21, unsigned(local)];
export const i32 = {
  const: (value: number): Code => [0x41, signed(value)],
  load: (offset: number): Code => [0x28, 2, unsigned(offset)],
  add: [0x6a],
  lessThan: [0x49],
} as const satisfies Record<string, Code | ((value: number) => Code)>;
export const f64 = {
  load: (offset: number): Code => [0x2b, 3, unsigned(offset)],
  store: (offset: number): Code => [0x39, 3, unsigned(offset)],
  add: [0xa0],
} as const satisfies Record<string, Code | ((value: number) => Code)>;
export const v128 = {
  load: (offset: number): Code => [0xfd, 0x00, 4, unsigned(offset)],
  store: (offset: number): Code => [0xfd, 0x0b, 4, unsigned(offset)],
  /** Both halves from one float64 in memory. */
  load64Splat: (offset: number): Code => [0xfd, 0x0a, 3, unsigned(offset)],
  and: [0xfd, 0x4e],
  zero: [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)],
} as const satisfies Record<string, Code | ((value: number) => Code)>;
export const f64x2 = {
  extractLane: (lane: number): Code => [0xfd, 0x21, lane],
  add: [0xfd, 0xf0, 0x01],
  mul: [0xfd, 0xf2, 0x01],
  /** All bits of a half where a > b, else none. */
  greater: [0xfd, 0x4a],
  /** Of two pairs a and b, below b on the stack: a < b ? b : a. */
  pmax: [0xfd, 0xf7, 0x01],
} as const satisfies Record<string, Code | ((value: number) => Code)>;

/** Repeats `body` until it leaves 0 on the stack. */
export const repeatWhile = (body: Code): Code => [0x03, 0x40, body, 0x0d, 0, 0x0b];

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** The part of the global that is used here; TypeScript knows it as a part of browsers only. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number; maximum: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Readonly<Record<string, (...parameters: number[]) => void>> };
};

const PAGE_BYTES = 1 << 16;

/** A zeroed memory of at least so many bytes. */
export function createMemory(bytes: number): Memory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

/** Makes functions that work on `memory`, by name. */
export function assemble(
  functions: readonly WasmFunction[],
  memory: Memory,
): Readonly<Record<string, (...parameters: number[]) => void>> {
  const types = functions.map(({ parameters }) => [0x60, vector(times(parameters, I32)), 0]);
  const bodies = functions.map(({ locals, code }) => {
    const body = flat([vector(locals.map((type) => [1, type])), code, 0x0b]);
    return [unsigned(body.length), body];
  });
  const exported = functions.map(({ name }, at) => [text(name), 0x00, unsigned(at)]);
  const module = flat([
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, vector(types)),
    section(2, vector([[text("js"), text("memory"), 0x02, 0x00, 0]])),
    section(3, vector(functions.map((_, at) => unsigned(at)))),
    section(7, vector(exported)),
    section(10, vector(bodies)),
  ]);
  const compiled = new WebAssembly.Module(Uint8Array.from(module));
  return new WebAssembly.Instance(compiled, { js: { memory } }).exports;
}

function section(id: number, content: Code): Code {
  const bytes = flat(content);
  return [id, unsigned(bytes.length), bytes];
}

function vector(items: Code): Code {
  return [unsigned(items.length), items];
}

/** A name of ASCII letters and digits. */
function text(name: string): Code {
  return vector(Array.from(name, (letter) => letter.charCodeAt(0)));
}

function times(count: number, item: number): number[] {
  return Array.from({ length: count }, () => item);
}

function flat(code: Code): number[] {
  return code.flatMap((part) => (typeof part === "number" ? [part] : flat(part)));
}

/** LEB128. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  for (; rest < -0x40 || rest >= 0x40; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest & 0x7f];
}
