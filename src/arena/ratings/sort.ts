/** The indexes in `order`, brought into the order of their keys (0..keyCount-1); stable. */
export function sortByKey(order: Int32Array, keyCount: number, keyOf: (index: number) => number): Int32Array {
  const ends = new Int32Array(keyCount + 1);
  for (let at = 0; at < order.length; at++) ends[keyOf(order[at]) + 1]++;
  for (let key = 0; key < keyCount; key++) ends[key + 1] += ends[key];
  const sorted = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) sorted[ends[keyOf(order[at])]++] = order[at];
  return sorted;
}

/** 0, 1, ..., count - 1. */
export function identity(count: number): Int32Array {
  const order = new Int32Array(count);
  for (let index = 0; index < count; index++) order[index] = index;
  return order;
}
