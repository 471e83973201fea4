import { finish, grown, step } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";
import { type BattleKind, defendersLeft, LEFT_SHIFT, type Outcomes, outcomesOf } from "./battle.ts";
import type { ConquestMap } from "./maps.ts";

/** The rules of one game of conquest. */
export interface ConquestRules {
  readonly players: number;
  readonly map: ConquestMap;
  readonly armies: number;
  readonly maxArmies: number;
  readonly placements: number;
  readonly battles: BattleKind;
  readonly maxRounds: number;
  readonly alliances: boolean;
  readonly allianceRounds: number;
  readonly breakPrice: number;
  readonly score: "rank" | "share";
}

/** The actions: the end of the turn, and from << REGION_BITS | to for an attack or a march. */
export const END = 0;
export const REGION_BITS = 6;
export const REGION_MASK = (1 << REGION_BITS) - 1;
/** More actions: PLACE + region, ALLY + player and BREAK + player, and the answers to an offer. */
export const PLACE = 1 << 12;
export const ALLY = PLACE + (1 << REGION_BITS);
export const BREAK = ALLY + 8;
export const ACCEPT = BREAK + 8;
export const DECLINE = ACCEPT + 1;

/** Turns that began before, of all players together, those of players without regions counted too. */
export const TURNS = 0;
/** Armies that the player on turn still has to place, and the actions left for it. */
export const TO_PLACE = 1;
export const PLACINGS = 2;
/** 1 before the first action of a turn, if there are alliances; else 0. */
export const TALK = 3;
/** The attack whose dice are in the air, or 0; and the player who is offered an alliance, plus 1, or 0. */
export const BATTLE = 4;
export const OFFER = 5;
/** The owner of each region begins here; then the armies of each follow, the regions of each player, and the alliances. */
const OWNERS = 6;

const LEAST_INCOME = 3;
const REGIONS_PER_ARMY = 3;

const SEED_LOW = 0x2545f491;
const SEED_HIGH = 0x6c62272e;
/** No action changes as many slots. */
const MOST_CHANGES = 32;

/**
 * A position of conquest: numbers in slots. The hash combines a word for each slot and its number, and every change is
 * remembered with the number before.
 */
export class ConquestState implements State {
  toMove = 0;
  hashLow = 0;
  hashHigh = 0;
  readonly rules: ConquestRules;
  readonly slots: Int32Array;
  /** The number of turns that ends the game. */
  readonly limit: number;
  private readonly regions: number;
  private readonly players: number;
  private readonly armies: number;
  private readonly counts: number;
  private readonly pacts: number;
  private readonly outcomes: readonly Outcomes[];
  /** For each action: slot and former number of each change, then the number of changes. */
  private changes = new Int32Array(1024);
  private changed = 0;

  constructor(rules: ConquestRules) {
    const { players, map } = rules;
    this.rules = rules;
    this.players = players;
    this.regions = map.names.length;
    this.limit = players * rules.maxRounds;
    this.armies = OWNERS + this.regions;
    this.counts = this.armies + this.regions;
    this.pacts = this.counts + players;
    this.outcomes = outcomesOf(rules.battles);
    this.slots = new Int32Array(this.pacts + players * players);
    for (let slot = 0; slot < this.slots.length; slot++) this.toggle(slot);
    map.names.forEach((_, region) => this.settle(region, region % players, rules.armies));
    this.beginTurn();
    this.place([]);
  }

  /** The player whose turn it is, which is not `toMove` while an offer is answered. */
  get turn(): number {
    return this.slots[TURNS] % this.players;
  }

  ownerOf(region: number): number {
    return this.slots[OWNERS + region];
  }

  armiesOf(region: number): number {
    return this.slots[this.armies + region];
  }

  /** The number of regions of a player; 0 if it is out of the game. */
  regionsOf(player: number): number {
    return this.slots[this.counts + player];
  }

  /** The number of turns with which the alliance of two players ends; 0 if they have none. */
  allianceOf(player: number, other: number): number {
    return this.slots[this.pactOf(player, other)];
  }

  /** Gives the players an alliance until a number of turns; 0 for none. */
  ally(player: number, other: number, until: number): void {
    this.write(this.pactOf(player, other), until);
  }

  /** Gives a region with armies to a player. Until the turns begin, each region is settled once or more. */
  settle(region: number, player: number, armies: number): void {
    const before = this.armiesOf(region) === 0 ? -1 : this.ownerOf(region);
    if (before >= 0) this.write(this.counts + before, this.slots[this.counts + before] - 1);
    this.write(this.counts + player, this.slots[this.counts + player] + 1);
    this.write(OWNERS + region, player);
    this.write(this.armies + region, armies);
  }

  /** Puts numbers into the first slots, those of the turn; the position is the first of its history. */
  place(turn: readonly number[]): void {
    turn.forEach((value, slot) => this.write(slot, value));
    this.changed = 0;
    this.look();
  }

  /** The armies that a player receives at the beginning of a turn. */
  incomeOf(player: number): number {
    return (
      Math.max(LEAST_INCOME, Math.floor(this.regionsOf(player) / REGIONS_PER_ARMY)) + this.bonusOf(player)
    );
  }

  /** The armies that a player receives for whole continents. */
  bonusOf(player: number): number {
    const { continents } = this.rules.map;
    let bonus = 0;
    for (let at = 0; at < continents.length; at++) {
      const { regions } = continents[at]!;
      let own = 0;
      while (own < regions.length && this.ownerOf(regions[own]!) === player) own++;
      if (own === regions.length) bonus += continents[at]!.bonus;
    }
    return bonus;
  }

  /** True if a region of the player can take another army. */
  hasRoom(player: number): boolean {
    for (let region = 0; region < this.regions; region++)
      if (this.ownerOf(region) === player && this.armiesOf(region) < this.rules.maxArmies) return true;
    return false;
  }

  legalActions(out: Int32Array, at: number): number {
    let end = at;
    if (this.slots[OFFER] !== 0) {
      out[end++] = ACCEPT;
      out[end++] = DECLINE;
      return 2;
    }
    const { toMove, regions, players, slots } = this;
    const { map, maxArmies } = this.rules;
    if (slots[TO_PLACE] === 0) {
      out[end++] = END;
      for (let from = 0; from < regions; from++) {
        if (this.ownerOf(from) !== toMove || this.armiesOf(from) < 2) continue;
        const borders = map.neighbours[from]!;
        for (let border = 0; border < borders.length; border++) {
          const to = borders[border];
          const owner = this.ownerOf(to);
          const isOpen =
            owner === toMove ? this.armiesOf(to) < maxArmies : this.allianceOf(toMove, owner) === 0;
          if (isOpen) out[end++] = (from << REGION_BITS) | to;
        }
      }
    } else {
      for (let region = 0; region < regions; region++)
        if (this.ownerOf(region) === toMove && this.armiesOf(region) < maxArmies) out[end++] = PLACE + region;
    }
    if (slots[TALK] === 0) return end - at;
    for (let other = 0; other < players; other++)
      if (other !== toMove && this.regionsOf(other) > 0 && this.allianceOf(toMove, other) === 0)
        out[end++] = ALLY + other;
    for (let other = 0; other < players; other++)
      if (other !== toMove && this.allianceOf(toMove, other) !== 0) out[end++] = BREAK + other;
    return end - at;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { ends } = this;
    out.set(ends.lefts, at);
    probabilities.set(ends.probabilities, at);
    return ends.lefts.length;
  }

  apply(action: number): void {
    this.changes = grown(this.changes, this.changed + 2 * MOST_CHANGES + 1);
    const before = this.changed;
    const { slots } = this;
    if (slots[BATTLE] !== 0) this.fight(action);
    else if (slots[OFFER] !== 0) this.answer(action === ACCEPT);
    else {
      this.write(TALK, 0);
      if (action === END) this.endTurn();
      else if (action < PLACE) this.move(action >> REGION_BITS, action & REGION_MASK);
      else if (action < ALLY) this.reinforce(action - PLACE);
      else if (action < BREAK) this.write(OFFER, action - ALLY + 1);
      else this.breakWith(action - BREAK);
    }
    this.changes[this.changed] = (this.changed - before) >> 1;
    this.changed++;
    this.look();
  }

  undo(): void {
    for (let left = this.changes[--this.changed]; left > 0; left--) {
      this.changed -= 2;
      const slot = this.changes[this.changed];
      this.toggle(slot);
      this.slots[slot] = this.changes[this.changed + 1];
      this.toggle(slot);
    }
    this.look();
  }

  /** By `score`: the share of the others that are behind less that of those ahead, or the share of the regions. */
  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { players } = this;
    const own = this.regionsOf(player);
    if (this.rules.score === "share") return ((players * own) / this.regions - 1) / (players - 1);
    let behind = 0;
    for (let other = 0; other < players; other++) behind += Math.sign(own - this.regionsOf(other));
    return behind / (players - 1);
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.hashLow = other.hashLow;
    this.hashHigh = other.hashHigh;
    this.slots.set(other.slots);
    this.changed = 0;
  }

  /** The possible ends of the attack. */
  private get ends(): Outcomes {
    const battle = this.slots[BATTLE];
    const attackers = this.armiesOf(battle >> REGION_BITS);
    return this.outcomes[(attackers << LEFT_SHIFT) | this.armiesOf(battle & REGION_MASK)]!;
  }

  private pactOf(player: number, other: number): number {
    return this.pacts + Math.min(player, other) * this.players + Math.max(player, other);
  }

  private write(slot: number, value: number): void {
    if (this.slots[slot] === value) return;
    this.changes[this.changed] = slot;
    this.changes[this.changed + 1] = this.slots[slot];
    this.changed += 2;
    this.toggle(slot);
    this.slots[slot] = value;
    this.toggle(slot);
  }

  private toggle(slot: number): void {
    const value = this.slots[slot];
    this.hashLow ^= finish(step(step(SEED_LOW, slot), value));
    this.hashHigh ^= finish(step(step(SEED_HIGH, value), slot));
  }

  /** Finds who decides next. */
  private look(): void {
    const { slots, turn } = this;
    if (slots[TURNS] === this.limit || this.regionsOf(turn) === this.regions) this.toMove = TERMINAL;
    else if (slots[BATTLE] !== 0) this.toMove = CHANCE;
    else this.toMove = slots[OFFER] === 0 ? turn : slots[OFFER] - 1;
  }

  private move(from: number, to: number): void {
    if (this.ownerOf(to) !== this.turn) {
      this.write(BATTLE, (from << REGION_BITS) | to);
      if (this.rules.battles === "exchange") this.fight(this.ends.lefts[0]);
      return;
    }
    const here = this.armiesOf(from);
    const there = this.armiesOf(to);
    const marching = Math.min(here - 1, this.rules.maxArmies - there);
    this.write(this.armies + from, here - marching);
    this.write(this.armies + to, there + marching);
    this.endTurn();
  }

  /** A region without armies is taken: all attackers but one move in. */
  private fight(outcome: number): void {
    const battle = this.slots[BATTLE];
    const from = battle >> REGION_BITS;
    const to = battle & REGION_MASK;
    this.write(BATTLE, 0);
    const left = outcome >> LEFT_SHIFT;
    if (defendersLeft(outcome) > 0) {
      this.write(this.armies + from, left);
      this.write(this.armies + to, defendersLeft(outcome));
      return;
    }
    const loser = this.ownerOf(to);
    this.settle(to, this.turn, left - 1);
    this.write(this.armies + from, 1);
    if (this.regionsOf(loser) > 0) return;
    for (let other = 0; other < this.players; other++) this.ally(loser, other, 0);
  }

  private reinforce(region: number): void {
    const armies = Math.ceil(this.slots[TO_PLACE] / this.slots[PLACINGS]);
    this.write(this.armies + region, Math.min(this.rules.maxArmies, this.armiesOf(region) + armies));
    this.leaveToPlace(this.slots[TO_PLACE] - armies, this.slots[PLACINGS] - 1);
  }

  private answer(isAccepted: boolean): void {
    const other = this.slots[OFFER] - 1;
    this.write(OFFER, 0);
    if (!isAccepted) return;
    const { allianceRounds } = this.rules;
    const until = allianceRounds === 0 ? this.limit : this.slots[TURNS] + allianceRounds * this.players;
    this.ally(this.turn, other, Math.min(this.limit, until));
  }

  private breakWith(other: number): void {
    this.ally(this.turn, other, 0);
    this.leaveToPlace(this.slots[TO_PLACE] - this.rules.breakPrice, this.slots[PLACINGS]);
  }

  /** Armies without a region that can take them are lost. */
  private leaveToPlace(armies: number, placings: number): void {
    const isOpen = armies > 0 && this.hasRoom(this.turn);
    this.write(TO_PLACE, isOpen ? armies : 0);
    this.write(PLACINGS, isOpen ? placings : 0);
  }

  private endTurn(): void {
    const { players, limit } = this;
    let turns = this.slots[TURNS] + 1;
    while (turns < limit && this.regionsOf(turns % players) === 0) turns++;
    this.write(TURNS, turns);
    for (let pact = this.pacts; pact < this.slots.length; pact++)
      if (this.slots[pact] <= turns) this.write(pact, 0);
    if (turns < limit) this.beginTurn();
  }

  private beginTurn(): void {
    this.leaveToPlace(this.incomeOf(this.turn), this.rules.placements);
    this.write(TALK, this.rules.alliances ? 1 : 0);
  }
}
