import type { ConquestMap } from "../../../src/games/conquest/maps.ts";
import { battle } from "./throws.ts";

/* A slow, obvious game of conquest in words, the twin of the fast one. Maps are all that it has from the product. */

export interface TwinRules {
  readonly players: number;
  readonly map: ConquestMap;
  readonly armies: number;
  readonly maxArmies: number;
  readonly placements: number;
  readonly battles: string;
  readonly maxRounds: number;
  readonly alliances: boolean;
  readonly allianceRounds: number;
  readonly breakPrice: number;
}

interface Region {
  readonly name: string;
  readonly borders: readonly string[];
  owner: string;
  armies: number;
}

export class Twin {
  readonly rules: TwinRules;
  readonly regions: Region[];
  readonly letters: string[];
  turns = 0;
  toPlace = 0;
  placings = 0;
  talk = false;
  attack = "";
  offered = "";
  /** `AB`, and the turn that ends it. */
  alliances = new Map<string, number>();

  constructor(rules: TwinRules) {
    this.rules = rules;
    this.letters = Array.from("ABCDEF".slice(0, rules.players));
    this.regions = rules.map.names.map((name, region) => ({
      name,
      borders: Array.from(rules.map.neighbours[region]!, (other) => rules.map.names[other]!),
      owner: this.letters[region % rules.players]!,
      armies: rules.armies,
    }));
    this.begin();
  }

  get mover(): string {
    return this.letters[this.turns % this.rules.players]!;
  }

  owned(letter: string): Region[] {
    return this.regions.filter(({ owner }) => owner === letter);
  }

  get isOver(): boolean {
    const last = this.turns >= this.rules.players * this.rules.maxRounds;
    return last || this.owned(this.mover).length === this.regions.length;
  }

  private region(name: string): Region {
    return this.regions.find((region) => region.name === name)!;
  }

  private areAllied(one: string, other: string): boolean {
    return this.alliances.has([one, other].toSorted().join(""));
  }

  /** The words that are possible, each with its odds at a battle, else 0. */
  words(): Map<string, number> {
    const { mover, rules } = this;
    if (this.attack !== "") {
      const [from, to] = this.attack.split("-").map((name) => this.region(name).armies);
      return battle(from!, to!, rules.battles === "decided");
    }
    const words: string[] = [];
    if (this.offered !== "") words.push("accept", "decline");
    else {
      const own = this.owned(mover);
      if (this.toPlace > 0)
        words.push(...own.filter(({ armies }) => armies < rules.maxArmies).map(({ name }) => `+${name}`));
      else {
        words.push("end");
        for (const { name, borders, armies } of own) {
          for (const border of borders) {
            const to = this.region(border);
            if (armies === 1 || (to.owner === mover && to.armies === rules.maxArmies)) continue;
            if (!this.areAllied(mover, to.owner)) words.push(`${name}-${border}`);
          }
        }
      }
      if (this.talk) {
        for (const other of this.letters) {
          if (other === mover || this.owned(other).length === 0) continue;
          words.push(`${this.areAllied(mover, other) ? "break" : "ally"}-${other}`);
        }
      }
    }
    return new Map(words.map((word) => [word, 0]));
  }

  play(word: string): void {
    const { mover, rules } = this;
    if (this.attack !== "") return this.fight(word);
    if (this.offered !== "") {
      const until = rules.allianceRounds === 0 ? Infinity : this.turns + rules.allianceRounds * rules.players;
      if (word === "accept")
        this.alliances.set(
          [mover, this.offered].toSorted().join(""),
          Math.min(until, rules.players * rules.maxRounds),
        );
      this.offered = "";
      return;
    }
    this.talk = false;
    const [first = "", second = ""] = word.split("-");
    if (word === "end") this.pass();
    else if (first === "ally") this.offered = second;
    else if (first === "break") {
      this.alliances.delete([mover, second].toSorted().join(""));
      this.toPlace -= rules.breakPrice;
      this.tidy();
    } else if (word.startsWith("+")) {
      const armies = Math.ceil(this.toPlace / this.placings);
      const region = this.region(word.slice(1));
      region.armies = Math.min(region.armies + armies, rules.maxArmies);
      this.toPlace -= armies;
      this.placings--;
      this.tidy();
    } else if (this.region(second).owner === mover) {
      const [from, to] = [this.region(first), this.region(second)];
      while (from.armies > 1 && to.armies < rules.maxArmies) {
        from.armies--;
        to.armies++;
      }
      this.pass();
    } else {
      this.attack = word;
      if (rules.battles === "exchange") this.exchange();
    }
  }

  /** One for one, until one army is left on the attacking side, or none on the other. */
  private exchange(): void {
    let [left, others] = this.attack.split("-").map((name) => this.region(name).armies) as [number, number];
    while (left > 1 && others > 0) {
      left--;
      others--;
    }
    this.fight(`${left}:${left === 1 ? Math.max(1, others) : others}`);
  }

  private fight(word: string): void {
    const [from, to] = this.attack.split("-").map((name) => this.region(name)) as [Region, Region];
    const [left, others] = word.split(":").map(Number) as [number, number];
    const loser = to.owner;
    this.attack = "";
    from.armies = others > 0 ? left : 1;
    to.armies = others > 0 ? others : left - 1;
    if (others === 0) to.owner = from.owner;
    if (this.owned(loser).length === 0)
      for (const pair of this.alliances.keys()) if (pair.includes(loser)) this.alliances.delete(pair);
  }

  private pass(): void {
    do this.turns++;
    while (this.owned(this.mover).length === 0 && !this.isOver);
    for (const [pair, until] of this.alliances) if (until <= this.turns) this.alliances.delete(pair);
    if (!this.isOver) this.begin();
  }

  private begin(): void {
    const own = this.owned(this.mover);
    const names = new Set(own.map(({ name }) => name));
    this.toPlace = Math.max(3, Math.floor(own.length / 3));
    for (const { bonus, regions } of this.rules.map.continents)
      if (regions.every((region) => names.has(this.rules.map.names[region]!))) this.toPlace += bonus;
    this.placings = this.rules.placements;
    this.talk = this.rules.alliances;
    this.tidy();
  }

  private tidy(): void {
    const isOpen = this.owned(this.mover).some(({ armies }) => armies < this.rules.maxArmies);
    if (this.toPlace > 0 && isOpen) return;
    this.toPlace = 0;
    this.placings = 0;
  }

  ranks(): number[] {
    const sizes = this.letters.map((letter) => this.owned(letter).length);
    return sizes.map((own) => {
      const better = sizes.filter((size) => size < own).length - sizes.filter((size) => size > own).length;
      return better / (sizes.length - 1);
    });
  }

  text(): string {
    const board = this.rules.map.continents
      .map(({ regions }) =>
        regions.map((at) => `${this.regions[at]!.owner}${this.regions[at]!.armies}`).join(""),
      )
      .join("/");
    const pacts = [...this.alliances].map(([pair, until]) => `${pair[0]}=${pair[1]}@${until}`).toSorted();
    return [
      board,
      `t${this.turns}`,
      this.talk ? "talk" : "",
      this.toPlace > 0 ? `+${this.toPlace}/${this.placings}` : "",
      ...pacts,
      this.attack,
      this.offered === "" ? "" : `ally-${this.offered}`,
    ]
      .filter(Boolean)
      .join(" ");
  }
}
