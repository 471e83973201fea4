/*
 * Makes wrong input out of right input: bytes and words of a text are changed, taken out, doubled and exchanged, and
 * so are the parts of a value.
 */

const NUMBERS = [
  0, -0, 1, -1, 2, 0.5, 1e-9, -1e-9, 3, 7, 8, 9, 10, 16, 19, 20, 31, 32, 33, 64, 100, 255, 256, 257,
];
const EXTREMES = [
  65_535,
  65_536,
  1e5,
  1e6,
  2 ** 24,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  1e9,
  1e10,
  2 ** 53 - 1,
  2 ** 53,
  1e16,
  1e100,
  1e300,
  5e-324,
  1.7976931348623157e308,
  -1e300,
  -(2 ** 31),
  -(2 ** 31) - 1,
  -(2 ** 53),
];
const NAMES =
  "a random null true false NaN Infinity -Infinity __proto__ constructor toString hasOwnProperty".split(" ");
const SIGNS =
  ": , = - -- . ./ .. ../.. ~ /dev/null ./x.json 0x10 1e999 1e3 %s ${x} é \u{1F600} \uD800 \u202E".split(" ");
const TEXTS = [...NAMES, ...SIGNS, "", " ", "\0", "\n", "x".repeat(5000)];
const WORDS = [...TEXTS, ..."{ } [ ] ( ) \" ' &a *a !!x <<: | > # ? / *".split(" ")];
const MEMBERS = ["", ..."__proto__ constructor toString length id name 0 -1 agent x".split(" ")];

/** A number, mostly an odd one. */
function number(dice) {
  return dice.pick(dice.chance(0.5) ? NUMBERS : EXTREMES);
}

/** Changes a text at one to four places. `others` are texts of the same kind, of which pieces are taken. */
export function mutateText(text, others, dice) {
  let changed = text;
  for (let count = dice.pick([1, 1, 1, 2, 3, 4]); count > 0; count--)
    changed = mutateOnce(changed, others, dice);
  return changed.slice(0, 100_000);
}

/** Changes a text gently, so that it is often right: exchanges two characters, or writes one of them over the other. */
export function stirText(text, dice) {
  const characters = [...text];
  for (let count = dice.between(1, 3); count > 0 && text !== ""; count--) {
    const [one, other] = [dice.below(characters.length), dice.below(characters.length)];
    const before = characters[one];
    characters[one] = characters[other];
    if (dice.chance(0.6)) characters[other] = before;
  }
  return characters.join("");
}

function mutateOnce(text, others, dice) {
  const from = dice.below(text.length + 1);
  const to = Math.min(text.length, from + dice.pick([0, 1, 1, 1, 2, 4, 8, 30]));
  const put = (piece, end = to) => text.slice(0, from) + piece + text.slice(end);
  const word = () => {
    const found = [...text.matchAll(/[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}]/gu)];
    return found.length === 0 ? undefined : dice.pick(found);
  };
  const replaced = (found, piece) =>
    found === undefined
      ? text
      : text.slice(0, found.index) + piece + text.slice(found.index + found[0].length);
  const character = () => text[dice.below(Math.max(1, text.length))] ?? "";
  switch (dice.below(14)) {
    case 0:
      return put("");
    case 11:
    case 12:
      return put(character(), from + 1);
    case 13: {
      const at = from + dice.between(1, 4);
      return (
        text.slice(0, from) +
        text.slice(at, at + 1) +
        text.slice(from + 1, at) +
        text.slice(from, from + 1) +
        text.slice(at + 1)
      );
    }
    case 1:
      return put(String.fromCharCode(dice.pick([dice.between(32, 126), dice.below(32), dice.below(65_536)])));
    case 2:
      return put(character(), from);
    case 3:
      return put(dice.pick(WORDS), from);
    case 4:
      return replaced(word(), dice.pick(WORDS));
    case 5: {
      const numbers = [...text.matchAll(/-?\d+(\.\d+)?/g)];
      return numbers.length === 0 ? text : replaced(dice.pick(numbers), String(number(dice)));
    }
    case 6: {
      const digits = [...text.matchAll(/\d/g)];
      return digits.length === 0 ? text : replaced(dice.pick(digits), String(dice.below(10)));
    }
    case 7: {
      const [one, other] = [word(), word()];
      return one === undefined ? text : replaced(one, other[0]);
    }
    case 8: {
      const other = dice.pick(others);
      const begin = dice.below(other.length + 1);
      return put(other.slice(begin, begin + dice.between(1, 40)));
    }
    case 9: {
      const piece = text.slice(from, to);
      return put(piece.repeat(dice.pick([0, 2, 3, 20, 300])));
    }
    default:
      return dice.chance(0.5) ? text.slice(0, from) : text.slice(from);
  }
}

/** Changes bytes of a file: turned bits, cut, grown, a part overwritten or left out. */
export function mutateBytes(bytes, dice) {
  let changed = Buffer.from(bytes);
  for (let count = dice.pick([1, 1, 2, 5, 30]); count > 0; count--) {
    const at = dice.below(Math.max(1, changed.length));
    const piece = Buffer.alloc(dice.pick([1, 2, 8, 100, 4096]), dice.pick([0, 255, 32, dice.below(256)]));
    switch (dice.below(6)) {
      case 0:
      case 1:
        if (changed.length > 0) changed[at] ^= 1 << dice.below(8);
        break;
      case 2:
        changed = changed.subarray(0, at);
        break;
      case 3:
        changed = Buffer.concat([changed, piece]);
        break;
      case 4:
        changed = Buffer.concat([changed.subarray(0, at), piece, changed.subarray(at + piece.length)]);
        break;
      default:
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + piece.length)]);
    }
  }
  return changed;
}

/**
 * Changes a value (what JSON can hold) at one to three places. `others` are values of the same kind; `words` are keys and
 * texts that mean something in them.
 */
export function mutateValue(value, others, dice, words = MEMBERS) {
  let changed = structuredClone(value);
  for (let count = dice.pick([1, 1, 2, 3]); count > 0; count--) {
    const top = { whole: changed };
    const { holder, key } = dice.pick(placesIn(top, []));
    const made = dice.chance(0.1) ? dice.pick(words) : replacement(holder[key], others, dice);
    if (holder !== top) change(holder, { key, made, words }, dice);
    else if (dice.chance(0.1)) changed = made;
  }
  return changed;
}

function change(holder, { key, made, words }, dice) {
  const way = dice.below(6);
  if (Array.isArray(holder)) {
    if (way === 0) holder.splice(key, 1);
    else if (way === 1) holder.push(structuredClone(holder[key]));
    else holder[key] = made;
    return;
  }
  if (way === 0) delete holder[key];
  else if (way === 1) define(holder, dice.pick(dice.chance(0.2) ? MEMBERS : words), made);
  else if (way === 2 && dice.chance(0.3)) {
    define(holder, `${key}x`, holder[key]);
    delete holder[key];
  } else define(holder, key, made);
}

/** Also `__proto__` becomes an own key, as `JSON.parse` makes it. */
function define(holder, key, value) {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function replacement(old, others, dice) {
  if (typeof old === "number" && dice.chance(0.5)) return number(dice);
  switch (dice.below(9)) {
    case 0:
      return number(dice);
    case 1:
      return dice.pick(TEXTS);
    case 2:
      return dice.pick([
        null,
        true,
        false,
        [],
        {},
        [[]],
        [null],
        { id: "nim" },
        [1, 2, 3],
        [0.5],
        Array(2000).fill(1),
      ]);
    case 3: {
      const { holder, key } = dice.pick(placesIn({ whole: dice.pick(others) }, []));
      return structuredClone(holder[key]);
    }
    case 4:
      return [old];
    case 5:
      return { x: old };
    default:
      if (typeof old === "number")
        return dice.chance(0.5) ? number(dice) : old + dice.pick([1, -1, 0.5, -old, old]);
      if (typeof old === "string") return mutateOnce(old, [old], dice);
      if (Array.isArray(old)) return dice.chance(0.5) ? [...old, ...old] : old.toReversed();
      return typeof old === "boolean" ? !old : number(dice);
  }
}

/** Every place in a value: what holds it, and its key there. Of long lists only the beginning and the end. */
function placesIn(holder, places) {
  const keys = Array.isArray(holder) ? [...holder.keys()] : Object.keys(holder);
  for (const key of keys.length > 40 ? [...keys.slice(0, 20), ...keys.slice(-20)] : keys) {
    places.push({ holder, key });
    const inner = holder[key];
    if (typeof inner === "object" && inner !== null) placesIn(inner, places);
  }
  return places;
}
