import { CHANCE, simpleGame } from "../../../src/index.ts";
import { z } from "zod";

/* The slow, obvious rules: plain objects, lists of names, everything counted again. */

interface Lot {
  readonly square: number;
  readonly group: string;
  readonly price: number;
  readonly house: number;
}

interface Track {
  readonly size: number;
  readonly lots: readonly Lot[];
  readonly jail: number;
  readonly arrest: number;
  readonly taxes: readonly number[];
  readonly tax: number;
  readonly salary: number;
}

/** Lots of a group on squares of one price; a house costs that much, 0 if none can be built. */
function group(name: string, price: number, house: number, ...squares: number[]): Lot[] {
  return squares.map((square) => ({ square, group: name, price, house }));
}

const TRACKS: Readonly<Record<"small" | "full", Track>> = {
  small: {
    size: 12,
    lots: [
      ...group("a", 50, 50, 1, 2),
      ...group("b", 100, 50, 4, 5),
      ...group("c", 150, 100, 7, 8),
      ...group("u", 150, 0, 6),
      ...group("s", 200, 0, 10),
    ],
    jail: 3,
    arrest: 9,
    taxes: [11],
    tax: 100,
    salary: 50,
  },
  full: {
    size: 40,
    lots: [
      ...group("a", 50, 50, 1, 3),
      ...group("b", 100, 50, 6, 8, 9),
      ...group("c", 150, 100, 11, 13, 14),
      ...group("d", 200, 100, 16, 18, 19),
      ...group("e", 250, 150, 21, 23, 24),
      ...group("f", 300, 150, 26, 27, 29),
      ...group("g", 350, 200, 31, 32, 34),
      ...group("h", 400, 200, 37, 39),
      ...group("s", 200, 0, 5, 15, 25, 35),
      ...group("u", 150, 0, 12, 28),
    ],
    jail: 10,
    arrest: 30,
    taxes: [4, 38],
    tax: 150,
    salary: 200,
  },
};
const STREET_RENTS = [4, 20, 60, 150, 200, 250];
const FINE = 50;

interface Player {
  cash: number;
  square: number;
  /** The rolls made in jail; null for a player who is free. */
  jail: number | null;
  /** Houses by the square of a lot that the player owns. */
  lots: Record<string, number>;
  /** 0 while playing, then 1 for the first who is out. */
  out: number;
}

export interface TwinPosition {
  players: Player[];
  turn: number;
  phase: "before" | "dice" | "offer" | "auction" | "debt";
  round: number;
  doubles: number;
  auction: { asked: number; bid: number; bidder: number } | null;
  debt: { owed: number; creditor: number } | null;
}

interface Options {
  readonly players: number;
  readonly board: "small" | "full";
  readonly cash: number;
  readonly maxRounds: number;
  readonly auctions: boolean;
}

const lotOf = (square: number, { board }: Options) => TRACKS[board].lots.find((lot) => lot.square === square);
const ownerOf = ({ players }: TwinPosition, square: number) =>
  players.findIndex(({ lots }) => String(square) in lots);
const mates = (lot: Lot, { board }: Options) => TRACKS[board].lots.filter((one) => one.group === lot.group);
const alive = ({ players }: TwinPosition) => players.filter(({ out }) => out === 0).length;

function hasWhole({ lots }: Player, lot: Lot, options: Options): boolean {
  return mates(lot, options).every(({ square }) => String(square) in lots);
}

function worth({ cash, lots }: Player, options: Options, share = 1): number {
  return Object.entries(lots).reduce((sum, [square, houses]) => {
    const lot = lotOf(Number(square), options)!;
    return sum + share * (lot.price + houses * lot.house);
  }, cash);
}

function rentFor(position: TwinPosition, lot: Lot, pips: number, options: Options): number {
  const owner = position.players[ownerOf(position, lot.square)]!;
  const owned = mates(lot, options).filter(({ square }) => String(square) in owner.lots).length;
  if (lot.group === "s") return [0, 25, 50, 100, 200][owned]!;
  if (lot.group === "u") return hasWhole(owner, lot, options) ? 10 * pips : 4 * pips;
  const houses = owner.lots[lot.square]!;
  const rent = (STREET_RENTS[houses]! * lot.price) / 50;
  return houses === 0 && hasWhole(owner, lot, options) ? 2 * rent : rent;
}

/** The squares on which the player may build, or sell a house or the lot. */
function buildable(player: Player, options: Options): number[] {
  return TRACKS[options.board].lots
    .filter((lot) => {
      if (lot.house === 0 || player.cash < lot.house || !hasWhole(player, lot, options)) return false;
      const houses = mates(lot, options).map(({ square }) => player.lots[square]!);
      return player.lots[lot.square]! < 5 && player.lots[lot.square] === Math.min(...houses);
    })
    .map(({ square }) => square);
}

function sellable(player: Player, options: Options): number[] {
  return TRACKS[options.board].lots
    .filter((lot) => {
      if (!(String(lot.square) in player.lots)) return false;
      const houses = mates(lot, options).map(({ square }) => player.lots[square] ?? 0);
      return player.lots[lot.square] === Math.max(...houses);
    })
    .map(({ square }) => square);
}

function nextTurn(position: TwinPosition, options: Options): void {
  position.phase = "before";
  if (position.doubles > 0) return;
  do {
    position.turn++;
    if (position.turn === options.players) {
      position.turn = 0;
      position.round++;
    }
  } while (position.players[position.turn]!.out > 0);
}

function goToJail(position: TwinPosition, options: Options): void {
  const player = position.players[position.turn]!;
  player.square = TRACKS[options.board].jail;
  player.jail = 0;
  position.doubles = 0;
  nextTurn(position, options);
}

/** One sale of what the square has: a house, or the lot. */
function sellOne(player: Player, square: number, options: Options): void {
  const lot = lotOf(square, options)!;
  if (player.lots[square]! > 0) {
    player.lots[square]!--;
    player.cash += lot.house / 2;
  } else {
    delete player.lots[square];
    player.cash += lot.price / 2;
  }
}

function settle(position: TwinPosition, owed: number, creditor: number, options: Options): void {
  const player = position.players[position.turn]!;
  position.debt = null;
  if (player.cash < owed && worth(player, options, 0.5) >= owed) {
    position.phase = "debt";
    position.debt = { owed, creditor };
    return;
  }
  if (player.cash < owed) {
    for (let left = sellable(player, options); left.length > 0; left = sellable(player, options))
      sellOne(player, left[0]!, options);
    player.out = options.players - alive(position) + 1;
    position.doubles = 0;
  }
  const paid = Math.min(player.cash, owed);
  player.cash -= paid;
  if (creditor >= 0) position.players[creditor]!.cash += paid;
  if (alive(position) > 1) nextTurn(position, options);
}

function canBid(player: Player, price: number, bid: number): boolean {
  return player.out === 0 && bid <= 8 && player.cash >= (price * bid) / 5;
}

/** Asks those who come after `last`, up to the player on turn; then the auction ends. */
function auctionAfter(position: TwinPosition, last: number | null, options: Options): void {
  const { players, turn } = position;
  const lot = lotOf(players[turn]!.square, options)!;
  const bid = position.auction?.bid ?? 0;
  const bidder = position.auction?.bidder ?? 0;
  const order = players.map((_, at) => (turn + 1 + at) % players.length);
  const waiting = last === null ? order : order.slice(order.indexOf(last) + 1);
  const asked = waiting.find((player) => canBid(players[player]!, lot.price, Math.max(3, bid + 1)));
  if (asked !== undefined) {
    position.phase = "auction";
    position.auction = { asked, bid, bidder };
    return;
  }
  if (bid > 0) {
    players[bidder]!.cash -= (lot.price * bid) / 5;
    players[bidder]!.lots[lot.square] = 0;
  }
  position.auction = null;
  nextTurn(position, options);
}

function arrive(position: TwinPosition, pips: number, options: Options): void {
  const player = position.players[position.turn]!;
  const track = TRACKS[options.board];
  for (let left = pips; left > 0; left--) {
    player.square = (player.square + 1) % track.size;
    if (player.square === 0) player.cash += track.salary;
  }
  if (player.square === track.arrest) return goToJail(position, options);
  if (track.taxes.includes(player.square)) return settle(position, track.tax, -1, options);
  const lot = lotOf(player.square, options);
  const owner = ownerOf(position, player.square);
  if (lot === undefined || owner === position.turn) return nextTurn(position, options);
  if (owner >= 0) return settle(position, rentFor(position, lot, pips, options), owner, options);
  if (player.cash >= lot.price) position.phase = "offer";
  else if (options.auctions) auctionAfter(position, null, options);
  else nextTurn(position, options);
}

function roll(position: TwinPosition, high: number, low: number, options: Options): void {
  const player = position.players[position.turn]!;
  if (player.jail !== null) {
    player.jail++;
    if (high !== low && player.jail < 3) return nextTurn(position, options);
    player.jail = null;
    return arrive(position, high + low, options);
  }
  position.doubles = high === low ? position.doubles + 1 : 0;
  if (position.doubles === 3) return goToJail(position, options);
  arrive(position, high + low, options);
}

/** The position after an action: 0 roll, 1 leave, 2 buy, 3 pass, 4 + fifths bid, 16 + square build, 64 + square sell. */
function after(before: TwinPosition, action: number, options: Options): TwinPosition {
  const position = structuredClone(before);
  const player = position.players[position.turn]!;
  if (position.phase === "dice") roll(position, 1 + Math.floor(action / 6), 1 + (action % 6), options);
  else if (position.phase === "debt") {
    sellOne(player, action - 64, options);
    settle(position, position.debt!.owed, position.debt!.creditor, options);
  } else if (position.phase === "auction") {
    const { asked } = position.auction!;
    if (action > 4) position.auction = { asked, bid: action - 4, bidder: asked };
    auctionAfter(position, asked, options);
  } else if (action === 0) position.phase = "dice";
  else if (action === 1) {
    player.jail = null;
    player.cash -= FINE;
  } else if (action === 2) {
    player.cash -= lotOf(player.square, options)!.price;
    player.lots[player.square] = 0;
    nextTurn(position, options);
  } else if (action === 3) {
    if (options.auctions) auctionAfter(position, null, options);
    else nextTurn(position, options);
  } else {
    player.lots[action - 16]!++;
    player.cash -= lotOf(action - 16, options)!.house;
  }
  return position;
}

function actionsOf(position: TwinPosition, options: Options): number[] {
  const player = position.players[position.turn]!;
  switch (position.phase) {
    case "before": {
      const leaves = player.jail !== null && player.cash >= FINE ? [1] : [];
      return [0, ...leaves, ...buildable(player, options).map((square) => 16 + square)];
    }
    case "offer":
      return [2, 3];
    case "auction": {
      const { asked, bid } = position.auction!;
      const { price } = lotOf(player.square, options)!;
      const bids = [3, 4, 5, 6, 7, 8].filter(
        (fifths) => fifths > bid && canBid(position.players[asked]!, price, fifths),
      );
      return [3, ...bids.map((fifths) => 4 + fifths)];
    }
    default:
      return sellable(player, options).map((square) => 64 + square);
  }
}

const dice = [1, 2, 3, 4, 5, 6];

export const twin = simpleGame({
  id: "property-twin",
  summary: "the rules again",
  options: z.strictObject({
    players: z.int().default(2).describe("players"),
    board: z.enum(["small", "full"]).default("full").describe("track"),
    cash: z.int().default(1500).describe("money"),
    maxRounds: z.int().default(100).describe("rounds"),
    auctions: z.boolean().default(true).describe("auctions"),
  }),
  players: ({ players }) => players,
  maxPlies: 100_000,
  start: ({ players, cash }): TwinPosition => ({
    players: Array.from({ length: players }, () => ({ cash, square: 0, jail: null, lots: {}, out: 0 })),
    turn: 0,
    phase: "before",
    round: 0,
    doubles: 0,
    auction: null,
    debt: null,
  }),
  toMove: ({ phase, auction, turn }) => (phase === "dice" ? CHANCE : (auction?.asked ?? turn)),
  chance: () =>
    dice.flatMap((high) =>
      dice.slice(0, high).map((low) => [6 * (high - 1) + low - 1, (high === low ? 1 : 2) / 36] as const),
    ),
  legalActions: (position, options) => actionsOf(position, options).toSorted((a, b) => a - b),
  apply: (position, action, options) => after(position, action, options),
  result(position, options) {
    if (alive(position) > 1 && position.round < options.maxRounds) return undefined;
    const { players } = position;
    /** True if a stands better than b. */
    const beats = (a: Player, b: Player) =>
      a.out === 0 && b.out === 0
        ? worth(a, options) > worth(b, options)
        : a.out === 0
          ? b.out > 0
          : b.out > 0 && a.out > b.out;
    return players.map((own) => {
      const better = players.filter((other) => beats(own, other)).length;
      const worse = players.filter((other) => beats(other, own)).length;
      return (better - worse) / (players.length - 1);
    });
  },
});
