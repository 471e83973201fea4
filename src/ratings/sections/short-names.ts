import stringWidth from "string-width";
import { charactersOf } from "../../base/text.ts";

/*
 * Names for a column or a chart that is narrower than they are. Names of entrants are often alike but for one option or
 * word, such as `alpha-beta:depth=6,evaluator=...` or `Student number 6 of the class`. So a name keeps the words that the
 * fewest others have. If these do not fit, it keeps the letters in which it differs.
 */

/**
 * Cuts names to at most `longest` columns of a terminal, at least 6; a cut is written `...`. Different names stay different: where
 * all differences of a name do not fit, it ends with a number, as in `...~2`.
 */
export function shortenNames(names: readonly string[], longest: number): string[] {
  const all = [...new Set(names)].map(charactersOf).toSorted(compare);
  const shared = all.map((name, at) => (at === 0 ? 0 : sharedLength(all[at - 1]!, name)));
  const short = new Map<string, string>();
  const inWords = byWords([...new Set(names)], longest);
  const taken = new Set<string>(inWords.values());
  for (const name of all) if (stringWidth(name.join("")) <= longest) taken.add(name.join(""));
  for (const [at, name] of all.entries()) {
    const whole = name.join("");
    if (stringWidth(whole) <= longest) {
      short.set(whole, whole);
      continue;
    }
    const words = inWords.get(whole);
    if (words !== undefined) {
      short.set(whole, words);
      continue;
    }
    let cut = shorten(name, differences(shared, at), longest);
    for (let number = 2; taken.has(cut); number++) {
      const ending = `~${number}`;
      cut = shorten(name, [], longest - ending.length) + ending;
    }
    taken.add(cut);
    short.set(whole, cut);
  }
  return names.map((name) => short.get(name)!);
}

/** Names that are too long, in the words that distinguish them; none where these do not fit or are alike. */
function byWords(names: readonly string[], longest: number): Map<string, string> {
  const wordsOf = new Map(names.map((name) => [name, name.match(WORDS) ?? []]));
  const havers = new Map<string, number>();
  for (const words of wordsOf.values())
    for (const word of new Set(words)) havers.set(word, (havers.get(word) ?? 0) + 1);
  const found = new Map<string, string>();
  const count = new Map<string, number>();
  for (const name of names) {
    const fits = stringWidth(name) <= longest;
    const text = fits ? name : cutWords(name, wordsOf.get(name)!, { havers, longest });
    if (text === undefined) continue;
    count.set(text, (count.get(text) ?? 0) + 1);
    if (!fits) found.set(name, text);
  }
  for (const [name, text] of found) if (count.get(text)! > 1) found.delete(name);
  return found;
}

/** Words of a name or a spec. */
const WORDS = /[^\s,:]+/g;

/** Leaves out the words that most names have, the last ones first, until the rest fits; undefined if no word does. */
function cutWords(
  name: string,
  words: readonly string[],
  { havers, longest }: { havers: ReadonlyMap<string, number>; longest: number },
): string | undefined {
  const kept = new Set(words.keys());
  const haversAt = (at: number) => havers.get(words[at]!)!;
  for (const at of [...kept].toSorted((one, other) => haversAt(other) - haversAt(one) || other - one)) {
    kept.delete(at);
    const text = joined(name, words, kept);
    if (kept.size > 0 && stringWidth(text) <= longest) return text;
  }
  return undefined;
}

/** The words that are kept, as they stand in the name, with a cut in place of each run of others. */
function joined(name: string, words: readonly string[], kept: ReadonlySet<number>): string {
  let [text, from, hasCut] = ["", 0, false];
  for (const [at, word] of words.entries()) {
    const start = name.indexOf(word, from);
    if (kept.has(at)) text += (hasCut ? CUT : name.slice(from, start)) + word;
    hasCut = !kept.has(at);
    from = start + word.length;
  }
  return text + (hasCut ? CUT : name.slice(from));
}

/** Orders names by their characters, so that names with a common beginning are neighbours. */
function compare(one: readonly string[], other: readonly string[]): number {
  const at = sharedLength(one, other);
  if (at === one.length || at === other.length) return one.length - other.length;
  return one[at]! < other[at]! ? -1 : 1;
}

/** The length of the common beginning. */
function sharedLength(one: readonly string[], other: readonly string[]): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/**
 * The places at which the name differs first from another one. Two names share as much as the least that neighbours
 * between them share.
 * @param shared by name in order: the length of the common beginning with the name before
 */
function differences(shared: readonly number[], at: number): number[] {
  const places = new Set<number>();
  let least = Infinity;
  for (let before = at; before > 0; before--) places.add((least = Math.min(least, shared[before]!)));
  least = Infinity;
  for (let after = at + 1; after < shared.length; after++)
    places.add((least = Math.min(least, shared[after]!)));
  return [...places];
}

/** Keeps the two ends and the places of a name that fit, and as much around them as fits. */
function shorten(name: readonly string[], places: readonly number[], longest: number): string {
  const end = name.length - 1;
  const widths = name.map((character) => stringWidth(character));
  const kept = new Set<number>();
  const keep = (place: number) => {
    if (place < 0 || place > end || kept.has(place)) return false;
    kept.add(place);
    const fits = widthOf(widths, kept) <= longest;
    if (!fits) kept.delete(place);
    return fits;
  };
  const seeds = [0, end, ...places].filter(keep);
  for (let reach = 1, grows = true; grows; reach++)
    grows = seeds.flatMap((seed) => [seed + reach, seed - reach]).filter(keep).length > 0;
  return name
    .map((character, place) => {
      if (kept.has(place)) return character;
      return kept.has(place - 1) ? CUT : "";
    })
    .join("");
}

const CUT = "...";

/** The width of a name of which only some places are kept. @param widths those of its characters */
function widthOf(widths: readonly number[], kept: ReadonlySet<number>): number {
  let width = 0;
  for (const place of kept) {
    width += widths[place]!;
    if (place + 1 < widths.length && !kept.has(place + 1)) width += CUT.length;
  }
  return width;
}
