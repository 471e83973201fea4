import type { Random } from "../../base/random.ts";
import type { Privacy, Worlds } from "../contract/privacy.ts";
import { CHANCE } from "../contract/rules.ts";
import { Board } from "./board.ts";
import { FIRST_PLAY, type Form, KINDS, PASS } from "./form.ts";
import { type CrosswordState, maxEventsOf } from "./state.ts";
import { drawBoard, standing } from "./text.ts";

/** Codes: a kind of tile that the player draws itself; these; a play as its number; and below 0 an own exchange as -1 - its set. */
const OTHER_DREW = KINDS;
const PASSED = KINDS + 1;
/** The others' exchanges: this and the number of tiles. */
const EXCHANGED = KINDS + 2;

/** Worlds that are tried until one is taken by its weight; then one of them is. */
const TRIES = 64;
/** Steps back of a patient world before another one begins. */
const PATIENCE = 10_000;

/** Players see their own tiles, all plays, and how many tiles the others draw and exchange. */
export function createPrivacy(form: Form): Privacy<CrosswordState> {
  return {
    maxEvents: maxEventsOf(form),
    maxCodes: maxEventsOf(form),
    history: ({ history, events }) => [...history.subarray(0, events)],
    seen(state, action, player, out, at) {
      if (state.toMove === CHANCE) out[at] = state.drawerOf(state.events) === player ? action : OTHER_DREW;
      else if (action >= FIRST_PLAY) out[at] = action;
      else if (action === PASS) out[at] = PASSED;
      else out[at] = state.toMove === player ? -1 - action : EXCHANGED + sizeOf(action);
      return 1;
    },
    worlds: (codes, count, player) => new CrosswordWorlds(form, codes.subarray(0, count), player),
    formatView: (state, player) => [drawBoard(state), ...standing(state, player)].join("\n"),
  };
}

function sizeOf(set: number): number {
  let size = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) size++;
  return size;
}

/** An event that a player has seen. */
interface Seen {
  readonly kind: "draw" | "play" | "pass" | "exchange" | "return";
  readonly player: number;
  /** The action or outcome; -1 if the player does not know it. */
  readonly action: number;
  /** By kind: the tiles that go, if known; of a return those that an exchange puts back. */
  readonly tiles?: Uint8Array;
  /** The tiles of an exchange. */
  readonly size: number;
}

/**
 * Draws histories that a player may be in. The unseen tiles are shared between the others' racks and the bag, and the play is
 * then taken back event by event: each drawn tile is one of the rack, each exchanged one was one of the bag. So all ways that
 * single tiles may have gone are as likely. A history has as many ways as equal tiles could have been played for each other;
 * a world is taken with the inverse probability (rejection). Late in a game most are refused: after TRIES worlds one of them is
 * drawn by these weights (sampling importance resampling; Rubin 1987), which is close.
 *
 * After an own exchange its tiles were in the bag. If none of the TRIES worlds has them there, the next one is made patiently: it
 * goes back to the last exchange that was possible, instead of to the start.
 */
class CrosswordWorlds implements Worlds {
  private readonly form: Form;
  private readonly player: number;
  private readonly events: readonly Seen[];
  /** By player: the tiles on its rack now. */
  private readonly held: readonly number[];
  private readonly ownRack: Uint8Array;
  /** By kind: the tiles that the player does not see now. */
  private readonly unseen: Uint8Array;
  private readonly racks: Uint8Array;
  private readonly bag: Uint8Array;
  private bagged = 0;
  private readonly kept: Int32Array;
  private readonly length: number;
  /** The racks and the bag at the last possible exchange of the player. */
  private readonly savedRacks: Uint8Array;
  private readonly savedBag: Uint8Array;

  constructor(form: Form, codes: Int32Array, player: number) {
    this.form = form;
    this.player = player;
    const { events, held, ownRack, laid } = replay(form, codes, player);
    this.events = events;
    this.held = held;
    this.ownRack = ownRack;
    this.unseen = Uint8Array.from(form.counts, (count, kind) => count - laid[kind]! - ownRack[kind]!);
    this.racks = new Uint8Array(form.players * KINDS);
    this.bag = new Uint8Array(KINDS);
    this.savedRacks = new Uint8Array(this.racks.length);
    this.savedBag = new Uint8Array(KINDS);
    this.kept = new Int32Array(events.length);
    this.length = events.reduce((sum, { kind }) => sum + (kind === "return" ? 0 : 1), 0);
  }

  draw(random: Random, out: Int32Array): number {
    const { kept, length } = this;
    let total = 0;
    for (let left = TRIES; left > 0; left--) {
      const weight = this.propose(random, out);
      if (weight === 0) continue;
      const taken = random.float();
      if (taken < weight) return length;
      total += weight;
      if (random.float() * total < weight) for (let at = 0; at < length; at++) kept[at] = out[at]!;
    }
    if (total === 0) while (this.propose(random, out, PATIENCE) === 0);
    else for (let at = 0; at < length; at++) out[at] = kept[at]!;
    return length;
  }

  /**
   * Writes a history, and returns its weight, 0 if it is impossible.
   * @param patience how often it goes back to the last possible exchange
   */
  private propose(random: Random, out: Int32Array, patience = 0): number {
    const { form, player: own, events, held, ownRack, racks, bag, unseen, savedRacks, savedBag } = this;
    bag.set(unseen);
    this.bagged = unseen.reduce((sum, count) => sum + count, 0);
    for (let player = 0; player < form.players; player++) {
      const from = player * KINDS;
      if (player === own) {
        racks.set(ownRack, from);
        continue;
      }
      racks.fill(0, from, from + KINDS);
      for (let left = held[player]!; left > 0; left--) racks[from + this.takeFromBag(random)]!++;
    }
    let weight = 1;
    let next = this.length;
    let saved = { at: events.length, next, bagged: this.bagged };
    savedRacks.set(racks);
    savedBag.set(bag);
    /** By kind: the tiles of an exchange that is taken back. */
    let aside: Uint8Array | undefined;
    for (let at = events.length - 1; at >= 0; at--) {
      const { kind, player, action, tiles, size } = events[at]!;
      const from = player * KINDS;
      switch (kind) {
        case "draw": {
          const drawn = action >= 0 ? action : pick(racks, from, this.heldNow(from), random);
          racks[from + drawn]!--;
          bag[drawn]!++;
          this.bagged++;
          out[--next] = drawn;
          break;
        }
        case "return":
          aside = tiles ?? this.takeSet(size, random);
          if (tiles === undefined) break;
          if (holds(bag, tiles)) {
            saved = { at: at + 1, next, bagged: this.bagged };
            savedRacks.set(racks);
            savedBag.set(bag);
            weight *= this.takeBack(tiles);
          } else if (patience-- > 0) {
            ({ at, next, bagged: this.bagged } = saved);
            racks.set(savedRacks);
            bag.set(savedBag);
          } else return 0;
          break;
        case "pass":
          out[--next] = PASS;
          break;
        case "play":
        case "exchange": {
          const gone = kind === "play" ? tiles! : aside!;
          for (let each = 0; each < KINDS; each++) racks[from + each]! += gone[each]!;
          if (player !== own) weight /= waysOf(racks, from, gone);
          out[--next] = action >= 0 ? action : setOf(racks, from, gone);
        }
      }
    }
    return weight;
  }

  private heldNow(from: number): number {
    let count = 0;
    for (let kind = 0; kind < KINDS; kind++) count += this.racks[from + kind]!;
    return count;
  }

  private takeFromBag(random: Random): number {
    const kind = pick(this.bag, 0, this.bagged--, random);
    this.bag[kind]!--;
    return kind;
  }

  /** Takes tiles out of the bag that another player had put back. */
  private takeSet(size: number, random: Random): Uint8Array {
    const tiles = new Uint8Array(KINDS);
    for (let left = size; left > 0; left--) tiles[this.takeFromBag(random)]!++;
    return tiles;
  }

  /** Takes known tiles out of the bag. Returns the ways to do so as a part of those with all unseen tiles in the bag. */
  private takeBack(tiles: Uint8Array): number {
    const { bag, racks, player: own, form } = this;
    let part = 1;
    for (let kind = 0; kind < KINDS; kind++) {
      const count = tiles[kind]!;
      if (count === 0) continue;
      let unseen = bag[kind]!;
      for (let other = 0; other < form.players; other++)
        if (other !== own) unseen += racks[other * KINDS + kind]!;
      part *= choose(bag[kind]!, count) / choose(unseen, count);
      bag[kind]! -= count;
      this.bagged -= count;
    }
    return part;
  }
}

/** The kind of a random one of `count` tiles. */
function pick(tiles: Uint8Array, from: number, count: number, random: Random): number {
  let left = random.below(count);
  let kind = 0;
  while (left >= tiles[from + kind]!) left -= tiles[from + kind++]!;
  return kind;
}

/** The ways to take these tiles from a rack, if equal tiles differ. */
function waysOf(racks: Uint8Array, from: number, tiles: Uint8Array): number {
  let ways = 1;
  for (let kind = 0; kind < KINDS; kind++)
    if (tiles[kind]! > 0) ways *= choose(racks[from + kind]!, tiles[kind]!);
  return ways;
}

/** True if all these tiles are in the bag. */
function holds(bag: Uint8Array, tiles: Uint8Array): boolean {
  for (let kind = 0; kind < KINDS; kind++) if (bag[kind]! < tiles[kind]!) return false;
  return true;
}

/** The number of ways to choose `some` of `all`, which are no fewer. */
function choose(all: number, some: number): number {
  let ways = 1;
  for (let at = 1; at <= some; at++) ways = (ways * (all - some + at)) / at;
  return ways;
}

/** The action that exchanges these tiles of a rack. */
function setOf(racks: Uint8Array, from: number, tiles: Uint8Array): number {
  let set = 0;
  let place = 0;
  for (let kind = 0; kind < KINDS; kind++) {
    for (let at = 0; at < tiles[kind]!; at++) set |= 1 << (place + at);
    place += racks[from + kind]!;
  }
  return set;
}

/** The tiles of a rack that a set of it has, by kind. */
function tilesOfSet(rack: Uint8Array, set: number): Uint8Array {
  const tiles = new Uint8Array(KINDS);
  let place = 0;
  for (let kind = 0; kind < KINDS; kind++)
    for (let count = rack[kind]!; count > 0; count--) tiles[kind]! += (set >> place++) & 1;
  return tiles;
}

/** Reads the codes of a player: the events, and where the tiles are that it knows. */
function replay(form: Form, codes: Int32Array, own: number) {
  const events: Seen[] = [];
  const held = Array.from({ length: form.players }, () => 0);
  const ownRack = new Uint8Array(KINDS);
  const laid = new Uint8Array(KINDS);
  const board = new Board(form);
  const deal = form.players * form.rack;
  let turn = 0;
  /** The exchange that still draws: what it puts back, and how many tiles it draws. */
  let open: { tiles: Uint8Array | undefined; size: number; left: number } | undefined;
  for (const [at, code] of codes.entries()) {
    if (code >= 0 && code <= OTHER_DREW) {
      const player = at < deal ? Math.floor(at / form.rack) : (turn - 1) % form.players;
      events.push({ kind: "draw", player, action: code === OTHER_DREW ? -1 : code, size: 1 });
      held[player]!++;
      if (player === own) ownRack[code]!++;
      if (open !== undefined && --open.left === 0) {
        const { tiles, size } = open;
        events.push({ kind: "return", player, action: -1, size, ...(tiles && { tiles }) });
        open = undefined;
      }
      continue;
    }
    const player = turn++ % form.players;
    if (code === PASSED) events.push({ kind: "pass", player, action: PASS, size: 0 });
    else if (code >= FIRST_PLAY) {
      // The board counts the tiles that go, below 0.
      const gone = new Int8Array(KINDS);
      const size = board.lay(code, gone, 0);
      const tiles = Uint8Array.from(gone, (count) => -count);
      for (let kind = 0; kind < KINDS; kind++) {
        laid[kind]! += tiles[kind]!;
        if (player === own) ownRack[kind]! -= tiles[kind]!;
      }
      held[player]! -= size;
      events.push({ kind: "play", player, action: code, tiles, size });
    } else {
      const tiles = code < 0 ? tilesOfSet(ownRack, -1 - code) : undefined;
      const size = tiles?.reduce((sum, count) => sum + count, 0) ?? code - EXCHANGED;
      if (tiles !== undefined) for (let kind = 0; kind < KINDS; kind++) ownRack[kind]! -= tiles[kind]!;
      held[player]! -= size;
      events.push({ kind: "exchange", player, action: code < 0 ? -1 - code : -1, size });
      open = { tiles, size, left: size };
    }
  }
  return { events, held, ownRack, laid };
}
