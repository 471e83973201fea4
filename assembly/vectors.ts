/*
 * The loops of networks and n-tuples, in AssemblyScript. Each instruction on a `v128` works on two float64, four float32 or
 * four int32 at a time.
 *
 * Parameters of type `usize` are addresses in the module's memory, in bytes, or sizes in bytes. Who calls
 * the loops chooses the addresses: see `VectorMemory` in src/evaluators/network/vector-loops.ts. Arrays
 * are filled up with zeros to a multiple of 64 bytes. The order of all additions is fixed, so the
 * results are the same on every machine, to the last bit.
 *
 * After a change: `npm run assembly`.
 */

/** Bytes of the two numbers in one register. */
const PAIR: usize = 16;

/**
 * sums += factor * row, for row after row.
 * @param count number of rows
 * @param rows where each row begins in `kernel`, as int32, in bytes
 * @param factors of the rows, as float64
 * @param unitBytes size of a row and of the sums, a multiple of 64
 */
export function addRows(
  count: u32,
  rows: usize,
  factors: usize,
  kernel: usize,
  sums: usize,
  unitBytes: usize,
): void {
  const end = rows + ((<usize>count) << 2);
  for (let unit: usize = 0; unit < unitBytes; unit += 4 * PAIR) {
    // Four pairs of sums stay in registers while the rows go by.
    const to = sums + unit;
    const from = kernel + unit;
    let a = v128.load(to);
    let b = v128.load(to, PAIR);
    let c = v128.load(to, 2 * PAIR);
    let d = v128.load(to, 3 * PAIR);
    let at = factors;
    for (let next = rows; next < end; next += 4) {
      const row = from + load<u32>(next);
      const factor = v128.load64_splat(at);
      a = f64x2.add(a, f64x2.mul(factor, v128.load(row)));
      b = f64x2.add(b, f64x2.mul(factor, v128.load(row, PAIR)));
      c = f64x2.add(c, f64x2.mul(factor, v128.load(row, 2 * PAIR)));
      d = f64x2.add(d, f64x2.mul(factor, v128.load(row, 3 * PAIR)));
      at += 8;
    }
    v128.store(to, a);
    v128.store(to, b, PAIR);
    v128.store(to, c, 2 * PAIR);
    v128.store(to, d, 3 * PAIR);
  }
}

/** row += factor * errors, for row after row of `gradient`; the parameters are those of `addRows`. */
export function spreadRows(
  count: u32,
  rows: usize,
  factors: usize,
  gradient: usize,
  errors: usize,
  unitBytes: usize,
): void {
  const end = rows + ((<usize>count) << 2);
  for (let unit: usize = 0; unit < unitBytes; unit += 4 * PAIR) {
    const from = errors + unit;
    const to = gradient + unit;
    const a = v128.load(from);
    const b = v128.load(from, PAIR);
    const c = v128.load(from, 2 * PAIR);
    const d = v128.load(from, 3 * PAIR);
    let at = factors;
    for (let next = rows; next < end; next += 4) {
      const row = to + load<u32>(next);
      const factor = v128.load64_splat(at);
      v128.store(row, f64x2.add(v128.load(row), f64x2.mul(factor, a)));
      v128.store(row, f64x2.add(v128.load(row, PAIR), f64x2.mul(factor, b)), PAIR);
      v128.store(row, f64x2.add(v128.load(row, 2 * PAIR), f64x2.mul(factor, c)), 2 * PAIR);
      v128.store(row, f64x2.add(v128.load(row, 3 * PAIR), f64x2.mul(factor, d)), 3 * PAIR);
      at += 8;
    }
  }
}

/** bias + the sum of both halves. */
function finish(bias: usize, sum: v128): f64 {
  return load<f64>(bias) + (f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
}

/**
 * sums = bias + kernel * input, where an input below `least` counts as `least`.
 * @param kernel of each unit a row of `rowBytes`
 * @param input `rowBytes` of them
 */
export function applyLayer(
  units: u32,
  rowBytes: usize,
  kernel: usize,
  bias: usize,
  input: usize,
  least: f64,
  sums: usize,
): void {
  const floor = f64x2.splat(least);
  let left = units;
  let row = kernel;
  for (; left >= 6; left -= 6) {
    // Six units at a time, so that one addition need not wait for another.
    let a = f64x2.splat(0);
    let b = f64x2.splat(0);
    let c = f64x2.splat(0);
    let d = f64x2.splat(0);
    let e = f64x2.splat(0);
    let f = f64x2.splat(0);
    const row1 = row + rowBytes;
    const row2 = row1 + rowBytes;
    const row3 = row2 + rowBytes;
    const row4 = row3 + rowBytes;
    const row5 = row4 + rowBytes;
    for (let at: usize = 0; at < rowBytes; at += PAIR) {
      const signal = f64x2.pmax(v128.load(input + at), floor);
      a = f64x2.add(a, f64x2.mul(signal, v128.load(row + at)));
      b = f64x2.add(b, f64x2.mul(signal, v128.load(row1 + at)));
      c = f64x2.add(c, f64x2.mul(signal, v128.load(row2 + at)));
      d = f64x2.add(d, f64x2.mul(signal, v128.load(row3 + at)));
      e = f64x2.add(e, f64x2.mul(signal, v128.load(row4 + at)));
      f = f64x2.add(f, f64x2.mul(signal, v128.load(row5 + at)));
    }
    store<f64>(sums, finish(bias, a));
    store<f64>(sums, finish(bias + 8, b), 8);
    store<f64>(sums, finish(bias + 16, c), 16);
    store<f64>(sums, finish(bias + 24, d), 24);
    store<f64>(sums, finish(bias + 32, e), 32);
    store<f64>(sums, finish(bias + 40, f), 40);
    row = row5 + rowBytes;
    bias += 48;
    sums += 48;
  }
  for (; left > 0; left--) {
    let a = f64x2.splat(0);
    for (let at: usize = 0; at < rowBytes; at += PAIR)
      a = f64x2.add(a, f64x2.mul(f64x2.pmax(v128.load(input + at), floor), v128.load(row + at)));
    store<f64>(sums, finish(bias, a));
    row += rowBytes;
    bias += 8;
    sums += 8;
  }
}

/**
 * Takes errors back through a layer: gradient += errors x input, errorsBefore = kernel * errors.
 * @param isRectified whether errorsBefore is 0 where the input is not above 0
 * @param kernel, gradient of each unit a row of `rowBytes`
 * @param input, errorsBefore `rowBytes` of them
 */
export function backLayer(
  units: u32,
  rowBytes: usize,
  kernel: usize,
  gradient: usize,
  input: usize,
  errors: usize,
  errorsBefore: usize,
  isRectified: bool,
): void {
  memory.fill(errorsBefore, 0, rowBytes);
  let left = units;
  let row: usize = 0;
  for (; left >= 4; left -= 4) {
    const a = v128.load64_splat(errors);
    const b = v128.load64_splat(errors, 8);
    const c = v128.load64_splat(errors, 16);
    const d = v128.load64_splat(errors, 24);
    const row1 = row + rowBytes;
    const row2 = row1 + rowBytes;
    const row3 = row2 + rowBytes;
    for (let at: usize = 0; at < rowBytes; at += PAIR) {
      const signal = v128.load(input + at);
      let sum = v128.load(errorsBefore + at);
      sum = f64x2.add(sum, f64x2.mul(a, v128.load(kernel + row + at)));
      addTo(gradient + row + at, f64x2.mul(a, signal));
      sum = f64x2.add(sum, f64x2.mul(b, v128.load(kernel + row1 + at)));
      addTo(gradient + row1 + at, f64x2.mul(b, signal));
      sum = f64x2.add(sum, f64x2.mul(c, v128.load(kernel + row2 + at)));
      addTo(gradient + row2 + at, f64x2.mul(c, signal));
      sum = f64x2.add(sum, f64x2.mul(d, v128.load(kernel + row3 + at)));
      addTo(gradient + row3 + at, f64x2.mul(d, signal));
      v128.store(errorsBefore + at, sum);
    }
    row = row3 + rowBytes;
    errors += 32;
  }
  for (; left > 0; left--) {
    const a = v128.load64_splat(errors);
    for (let at: usize = 0; at < rowBytes; at += PAIR) {
      const signal = v128.load(input + at);
      addTo(gradient + row + at, f64x2.mul(a, signal));
      addTo(errorsBefore + at, f64x2.mul(a, v128.load(kernel + row + at)));
    }
    row += rowBytes;
    errors += 8;
  }
  if (!isRectified) return;
  const zero = f64x2.splat(0);
  for (let at: usize = 0; at < rowBytes; at += PAIR) {
    const isAbove = f64x2.gt(v128.load(input + at), zero);
    v128.store(errorsBefore + at, v128.and(v128.load(errorsBefore + at), isAbove));
  }
}

function addTo(place: usize, pair: v128): void {
  v128.store(place, f64x2.add(v128.load(place), pair));
}

/**
 * codes += change * row, for row after row, all of int32.
 * @param count number of rows
 * @param rows where each row begins, as int32, in bytes
 * @param changes of the rows, as int32
 * @param bytes size of a row and of the codes, a multiple of 64
 */
export function addChanges(count: u32, rows: usize, changes: usize, codes: usize, bytes: usize): void {
  const end = rows + ((<usize>count) << 2);
  for (let place: usize = 0; place < bytes; place += 64) {
    const to = codes + place;
    let a = v128.load(to);
    let b = v128.load(to, 16);
    let c = v128.load(to, 32);
    let d = v128.load(to, 48);
    let at = changes;
    for (let next = rows; next < end; next += 4) {
      const row = place + load<u32>(next);
      const change = v128.load32_splat(at);
      a = i32x4.add(a, i32x4.mul(change, v128.load(row)));
      b = i32x4.add(b, i32x4.mul(change, v128.load(row, 16)));
      c = i32x4.add(c, i32x4.mul(change, v128.load(row, 32)));
      d = i32x4.add(d, i32x4.mul(change, v128.load(row, 48)));
      at += 4;
    }
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
  }
}

/**
 * sums += row for the first `added` rows, and sums -= row for the `removed` rows after them, all of int32.
 * @param rows where each row begins in `kernel`, as int32, in bytes
 * @param bytes size of a row and of the sums, a multiple of 64
 */
export function moveRows(
  added: u32,
  removed: u32,
  rows: usize,
  kernel: usize,
  sums: usize,
  bytes: usize,
): void {
  const middle = rows + ((<usize>added) << 2);
  const end = middle + ((<usize>removed) << 2);
  for (let place: usize = 0; place < bytes; place += 64) {
    const to = sums + place;
    const from = kernel + place;
    let a = v128.load(to);
    let b = v128.load(to, 16);
    let c = v128.load(to, 32);
    let d = v128.load(to, 48);
    let next = rows;
    for (; next < middle; next += 4) {
      const row = from + load<u32>(next);
      a = i32x4.add(a, v128.load(row));
      b = i32x4.add(b, v128.load(row, 16));
      c = i32x4.add(c, v128.load(row, 32));
      d = i32x4.add(d, v128.load(row, 48));
    }
    for (; next < end; next += 4) {
      const row = from + load<u32>(next);
      a = i32x4.sub(a, v128.load(row));
      b = i32x4.sub(b, v128.load(row, 16));
      c = i32x4.sub(c, v128.load(row, 32));
      d = i32x4.sub(d, v128.load(row, 48));
    }
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
  }
}

/** signals = scale * sums, at least `least`: float32 of int32, `bytes` of each. */
export function scaleSums(bytes: usize, sums: usize, scale: f32, least: f32, signals: usize): void {
  const factor = f32x4.splat(scale);
  const floor = f32x4.splat(least);
  for (let at: usize = 0; at < bytes; at += 16) {
    const sum = f32x4.convert_i32x4_s(v128.load(sums + at));
    v128.store(signals + at, f32x4.pmax(f32x4.mul(sum, factor), floor));
  }
}

/**
 * sums = bias + input x kernel, all of float32. Inputs that are 0, half of them after relu, take no part.
 * @param kernel of each input a row of `bytes`, a multiple of 64, as the bias and the sums
 * @param list room for two words an input, and two more
 */
export function applyInputs(
  inputs: u32,
  input: usize,
  kernel: usize,
  bias: usize,
  list: usize,
  sums: usize,
  bytes: usize,
): void {
  let end = list;
  let row = kernel;
  for (let at: u32 = 0; at < inputs; at++) {
    const signal = load<f32>(input + ((<usize>at) << 2));
    store<u32>(end, <u32>row);
    store<f32>(end, signal, 4);
    end += (<usize>(signal != 0)) << 3;
    row += bytes;
  }
  for (let place: usize = 0; place < bytes; place += 64) {
    let a = v128.load(bias + place);
    let b = v128.load(bias + place, 16);
    let c = v128.load(bias + place, 32);
    let d = v128.load(bias + place, 48);
    for (let next = list; next < end; next += 8) {
      const from = place + load<u32>(next);
      const signal = v128.load32_splat(next, 4);
      a = f32x4.add(a, f32x4.mul(signal, v128.load(from)));
      b = f32x4.add(b, f32x4.mul(signal, v128.load(from, 16)));
      c = f32x4.add(c, f32x4.mul(signal, v128.load(from, 32)));
      d = f32x4.add(d, f32x4.mul(signal, v128.load(from, 48)));
    }
    v128.store(sums + place, a);
    v128.store(sums + place, b, 16);
    v128.store(sums + place, c, 32);
    v128.store(sums + place, d, 48);
  }
}

/** sums = the sum of factor * row over the rows, all of float32; the parameters are those of `addRows`. */
export function gatherRows(
  count: u32,
  rows: usize,
  factors: usize,
  kernel: usize,
  sums: usize,
  bytes: usize,
): void {
  const end = rows + ((<usize>count) << 2);
  for (let place: usize = 0; place < bytes; place += 64) {
    const from = kernel + place;
    const to = sums + place;
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    let at = factors;
    for (let next = rows; next < end; next += 4) {
      const row = from + load<u32>(next);
      const factor = v128.load32_splat(at);
      a = f32x4.add(a, f32x4.mul(factor, v128.load(row)));
      b = f32x4.add(b, f32x4.mul(factor, v128.load(row, 16)));
      c = f32x4.add(c, f32x4.mul(factor, v128.load(row, 32)));
      d = f32x4.add(d, f32x4.mul(factor, v128.load(row, 48)));
      at += 4;
    }
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
  }
}

/** row += factor * errors, for row after row of `gradient`, all of float32; the parameters are those of `addRows`. */
export function scatterRows(
  count: u32,
  rows: usize,
  factors: usize,
  gradient: usize,
  errors: usize,
  bytes: usize,
): void {
  const end = rows + ((<usize>count) << 2);
  for (let place: usize = 0; place < bytes; place += 64) {
    const from = errors + place;
    const to = gradient + place;
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    const d = v128.load(from, 48);
    let at = factors;
    for (let next = rows; next < end; next += 4) {
      const row = to + load<u32>(next);
      const factor = v128.load32_splat(at);
      v128.store(row, f32x4.add(v128.load(row), f32x4.mul(factor, a)));
      v128.store(row, f32x4.add(v128.load(row, 16), f32x4.mul(factor, b)), 16);
      v128.store(row, f32x4.add(v128.load(row, 32), f32x4.mul(factor, c)), 32);
      v128.store(row, f32x4.add(v128.load(row, 48), f32x4.mul(factor, d)), 48);
      at += 4;
    }
  }
}

/**
 * c += a x b, matrices of float32.
 * @param rows of a and c, an even number
 * @param inner columns of a, rows of b
 * @param aRow, aColumn bytes from one row, and from one column, of a to the next; `bRow` and `cRow` alike
 * @param bytes of a row of c that are computed, a multiple of 64
 */
export function multiply(
  rows: u32,
  inner: u32,
  a: usize,
  aRow: usize,
  aColumn: usize,
  b: usize,
  bRow: usize,
  c: usize,
  cRow: usize,
  bytes: usize,
): void {
  for (let place: usize = 0; place < bytes; place += 64) {
    let to = c + place;
    let first = a;
    for (let row: u32 = 0; row < rows; row += 2) {
      const below = to + cRow;
      let a0 = v128.load(to);
      let a1 = v128.load(to, 16);
      let a2 = v128.load(to, 32);
      let a3 = v128.load(to, 48);
      let b0 = v128.load(below);
      let b1 = v128.load(below, 16);
      let b2 = v128.load(below, 32);
      let b3 = v128.load(below, 48);
      let left = first;
      let from = b + place;
      for (let at: u32 = 0; at < inner; at++) {
        const x = v128.load32_splat(left);
        const y = v128.load32_splat(left + aRow);
        const w0 = v128.load(from);
        const w1 = v128.load(from, 16);
        const w2 = v128.load(from, 32);
        const w3 = v128.load(from, 48);
        a0 = f32x4.add(a0, f32x4.mul(x, w0));
        a1 = f32x4.add(a1, f32x4.mul(x, w1));
        a2 = f32x4.add(a2, f32x4.mul(x, w2));
        a3 = f32x4.add(a3, f32x4.mul(x, w3));
        b0 = f32x4.add(b0, f32x4.mul(y, w0));
        b1 = f32x4.add(b1, f32x4.mul(y, w1));
        b2 = f32x4.add(b2, f32x4.mul(y, w2));
        b3 = f32x4.add(b3, f32x4.mul(y, w3));
        left += aColumn;
        from += bRow;
      }
      v128.store(to, a0);
      v128.store(to, a1, 16);
      v128.store(to, a2, 32);
      v128.store(to, a3, 48);
      v128.store(below, b0);
      v128.store(below, b1, 16);
      v128.store(below, b2, 32);
      v128.store(below, b3, 48);
      to = below + cRow;
      first += 2 * aRow;
    }
  }
}

/** signals = the greater of signals and 0: `bytes` of float32. */
export function rectify(bytes: usize, signals: usize): void {
  const zero = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += 16)
    v128.store(signals + at, f32x4.pmax(v128.load(signals + at), zero));
}

/** errors = 0 where the signal is not above 0: `rows` rows of `bytes`, all of float32. */
export function backRectify(
  rows: u32,
  bytes: usize,
  signals: usize,
  signalRow: usize,
  errors: usize,
  errorRow: usize,
): void {
  const zero = f32x4.splat(0);
  for (let row: u32 = 0; row < rows; row++) {
    for (let at: usize = 0; at < bytes; at += 16) {
      const isAbove = f32x4.gt(v128.load(signals + at), zero);
      v128.store(errors + at, v128.and(v128.load(errors + at), isAbove));
    }
    signals += signalRow;
    errors += errorRow;
  }
}

/** Added and subtracted, it makes 0 of moments so small that the processor would be slow with them. */
const TINY: f32 = 1e-30;

/**
 * A step of Adam for some rows of float32; sets their gradient to 0.
 * @param rows where each row begins in each of the four arrays, as int32, in bytes
 * @param bytes size of a row, a multiple of 16
 */
export function adamRows(
  count: u32,
  rows: usize,
  bytes: usize,
  weights: usize,
  first: usize,
  second: usize,
  gradient: usize,
  beta1: f32,
  beta2: f32,
  firstScale: f32,
  secondScale: f32,
  epsilon: f32,
): void {
  const end = rows + ((<usize>count) << 2);
  const keep1 = f32x4.splat(beta1);
  const keep2 = f32x4.splat(beta2);
  const take1 = f32x4.splat(1 - beta1);
  const take2 = f32x4.splat(1 - beta2);
  const scale1 = f32x4.splat(firstScale);
  const scale2 = f32x4.splat(secondScale);
  const least = f32x4.splat(epsilon);
  const tiny = f32x4.splat(TINY);
  for (let next = rows; next < end; next += 4) {
    const row: usize = load<u32>(next);
    for (let at = row; at < row + bytes; at += 16) {
      const slope = v128.load(gradient + at);
      v128.store(gradient + at, f32x4.splat(0));
      let m = f32x4.add(f32x4.mul(keep1, v128.load(first + at)), f32x4.mul(take1, slope));
      m = f32x4.sub(f32x4.add(m, tiny), tiny);
      const squared = f32x4.mul(f32x4.mul(take2, slope), slope);
      const v = f32x4.add(f32x4.mul(keep2, v128.load(second + at)), squared);
      v128.store(first + at, m);
      v128.store(second + at, v);
      const step = f32x4.div(f32x4.mul(scale1, m), f32x4.add(f32x4.sqrt(f32x4.mul(v, scale2)), least));
      v128.store(weights + at, f32x4.sub(v128.load(weights + at), step));
    }
  }
}
