/** Letters of the alphabet. */
export const LETTERS = 26;
const FIRST_LETTER = 97;

/** The letters of a word of a to z, each 0 to 25. */
export function lettersOf(word: string): number[] {
  return Array.from(word, (letter) => letter.codePointAt(0)! - FIRST_LETTER);
}

/**
 * A word list as the smallest automaton that accepts exactly its words (DAWG; Appel and Jacobson 1988), built word by word (Daciuk
 * and others 2000). It numbers the words in alphabetical order, by the words that every edge leaves behind (Lucchesi and
 * Kowaltowski 1993).
 */
export class Lexicon {
  /** In alphabetical order. */
  readonly words: readonly string[];
  /** By LETTERS x node + letter: the next node; 0, the empty one, where no word goes on. */
  readonly next: Int32Array;
  /** By LETTERS x node + letter: the words through this node that come before the edge's. */
  readonly skipped: Int32Array;
  /** By node: the set of letters with an edge. */
  readonly edges: Int32Array;
  /** By node: 1 if a word ends there. */
  readonly ends: Uint8Array;
  readonly root: number;

  /** @param words distinct words of a to z, ascending */
  constructor(words: readonly string[]) {
    this.words = words;
    const nodes: Node[] = [{ number: 0, isEnd: false, edges: [], count: 0 }];
    const known = new Map<string, Node>();
    /** The path of the last word, whose nodes may still change; it begins with the root. */
    const path: Node[] = [newNode()];
    const settle = (depth: number): void => {
      while (path.length > depth) {
        const node = path.pop()!;
        const key = `${node.isEnd ? 1 : 0} ${node.edges.map(([letter, to]) => `${letter},${to.number}`).join(" ")}`;
        let equal = known.get(key);
        if (equal === undefined) {
          equal = Object.assign(node, { number: nodes.length });
          equal.count = node.edges.reduce((sum, [, to]) => sum + to.count, node.isEnd ? 1 : 0);
          nodes.push(equal);
          known.set(key, equal);
        }
        const parent = path.at(-1);
        if (parent !== undefined) parent.edges.at(-1)![1] = equal;
      }
    };
    let last = "";
    for (const word of words) {
      let shared = 0;
      while (shared < last.length && last[shared] === word[shared]) shared++;
      settle(shared + 1);
      for (const letter of lettersOf(word).slice(shared)) {
        const node = newNode();
        path.at(-1)!.edges.push([letter, node]);
        path.push(node);
      }
      path.at(-1)!.isEnd = true;
      last = word;
    }
    const [root] = path;
    settle(0);
    this.root = root!.number;
    this.next = new Int32Array(LETTERS * nodes.length);
    this.skipped = new Int32Array(LETTERS * nodes.length);
    this.edges = new Int32Array(nodes.length);
    this.ends = Uint8Array.from(nodes, ({ isEnd }) => (isEnd ? 1 : 0));
    for (const { number, isEnd, edges } of nodes) {
      let before = isEnd ? 1 : 0;
      for (const [letter, to] of edges) {
        this.next[LETTERS * number + letter] = to.number;
        this.skipped[LETTERS * number + letter] = before;
        this.edges[number]! |= 1 << letter;
        before += to.count;
      }
    }
  }
}

/** A node while the automaton is built. */
interface Node {
  number: number;
  isEnd: boolean;
  /** Ascending. */
  readonly edges: [letter: number, to: Node][];
  /** Words from here on. */
  count: number;
}

function newNode(): Node {
  return { number: -1, isEnd: false, edges: [], count: 0 };
}
