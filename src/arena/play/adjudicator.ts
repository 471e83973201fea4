import { choicesBefore } from "../../games/contract/setups.ts";
import { UNKNOWN, type EndgameTables } from "../../games/endgames/endgame-tables.ts";
import type { Policy } from "../../games/contract/facets.ts";
import { TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import type { Adjudication } from "../plan/adjudication.ts";

/** The end of a game by adjudication. */
export interface Verdict {
  readonly returns: readonly number[];
  /** A sentence about it, for people. */
  readonly detail: string;
}

/** A decision that was played. */
interface Played {
  readonly player: number;
  /** The value that the player reported, as thoughts keep it; undefined if it reported none. */
  readonly value: number | undefined;
  /** The plies of the game so far, opening and this one included. */
  readonly plies: number;
}

/**
 * Ends games by the rules of a tournament, one game after the other. A decision without a value interrupts every row of
 * values: a player who says nothing does not resign, and does not agree to a draw.
 */
export class Adjudicator {
  private readonly game: Game;
  private readonly rules: Adjudication;
  private readonly tables: EndgameTables | undefined;
  private readonly perfect: Policy | undefined;
  /** By player: its last decisions in a row with the value of a loss, and of a win. */
  private readonly lost: number[];
  private readonly won: number[];
  /** The actions that choose the position to begin at. */
  private readonly choices: number;
  /** The last decisions of the game in a row whose values were near zero. */
  private level = 0;

  /** @param tables those that the rules name */
  constructor(game: Game, rules: Adjudication, tables?: EndgameTables) {
    this.game = game;
    this.rules = rules;
    this.tables = tables;
    this.choices = choicesBefore(game);
    this.perfect = rules.perfect === undefined ? undefined : game.policies["perfect"]?.create();
    this.lost = Array.from({ length: game.players }, () => 0);
    this.won = [...this.lost];
  }

  /** Forgets the game before. */
  begin(): void {
    this.lost.fill(0);
    this.won.fill(0);
    this.level = 0;
  }

  /** The verdict after a decision, which led to `state`; undefined if the game goes on, or is over by its own rules. */
  after(state: State, played: Played): Verdict | undefined {
    // The choice of the position to begin at is no play.
    const plies = played.plies - this.choices;
    this.count(played, plies);
    if (state.toMove === TERMINAL) return undefined;
    return (
      this.known(state) ??
      this.solved(state, plies) ??
      this.resignation() ??
      this.draw() ??
      this.limit(state, plies)
    );
  }

  /** The returns of a resignation: the least that a win of this value may be, such as 1 of 1, 2 and 3 at backgammon. */
  resigned(loser: number): number[] {
    const { outcomes = [], maxReturn } = this.game;
    const { value } = this.rules.resign!;
    const won = outcomes.find((one) => one >= value) ?? maxReturn;
    return loser === 0 ? [0 - won, won] : [won, 0 - won];
  }

  private count({ player, value }: Played, plies: number): void {
    const { resign, draw } = this.rules;
    if (resign !== undefined) {
      this.lost[player] = value !== undefined && value <= -resign.value ? this.lost[player]! + 1 : 0;
      this.won[player] = value !== undefined && value >= resign.value ? this.won[player]! + 1 : 0;
    }
    if (draw === undefined) return;
    const isLevel = value !== undefined && Math.abs(value) <= draw.value && plies > draw.from;
    this.level = isLevel ? this.level + 1 : 0;
  }

  /** The result that the tables know, as `endingAtTables` has it. */
  private known(state: State): Verdict | undefined {
    const distance = this.tables?.probe(state) ?? UNKNOWN;
    if (distance === UNKNOWN) return undefined;
    const { minReturn, maxReturn } = this.game;
    if (distance === 0) {
      const level = (minReturn + maxReturn) / 2;
      return { returns: [level, level], detail: "a draw, by the endgame tables" };
    }
    const winner = distance > 0 ? state.toMove : 1 - state.toMove;
    const returns = [0, 1].map((player) => (player === winner ? maxReturn : minReturn));
    return {
      returns,
      detail: `player ${winner + 1} wins in ${Math.abs(distance)} plies, by the endgame tables`,
    };
  }

  /** The result of perfect play by all players, once enough plies were played. */
  private solved(state: State, plies: number): Verdict | undefined {
    if (this.perfect === undefined || plies < this.rules.perfect!) return undefined;
    let played = 0;
    for (; state.toMove !== TERMINAL; played++) state.apply(this.perfect.choose(state));
    const returns = Array.from({ length: this.game.players }, (_, player) => state.returns(player));
    for (let left = played; left > 0; left--) state.undo();
    return { returns, detail: `the result of perfect play after ply ${plies}` };
  }

  private resignation(): Verdict | undefined {
    const { resign } = this.rules;
    if (resign === undefined) return undefined;
    const { value, plies, both } = resign;
    const loser = this.lost.findIndex(
      (count, player) => count >= plies && (!both || this.won[1 - player]! >= plies),
    );
    if (loser < 0) return undefined;
    const other = both ? `, those of player ${2 - loser} at least ${value}` : "";
    const detail = `player ${loser + 1} resigns: its last ${plies} values were at most -${value}${other}`;
    return { returns: this.resigned(loser), detail };
  }

  private draw(): Verdict | undefined {
    const { draw } = this.rules;
    if (draw === undefined || this.level < draw.plies) return undefined;
    const detail = `a draw: the values of the last ${draw.plies} plies were at most ${draw.value} from zero`;
    return { returns: [0, 0], detail };
  }

  /** The limit on plies: a draw in zero-sum games; in others each player keeps the reward collected so far. */
  private limit(state: State, plies: number): Verdict | undefined {
    const { maxPlies } = this.rules;
    if (maxPlies === undefined || plies < maxPlies) return undefined;
    const { players, zeroSum } = this.game;
    const returns = Array.from({ length: players }, (_, player) => (zeroSum ? 0 : state.returns(player)));
    return { returns, detail: `${zeroSum ? "a draw" : "the end"}: ${maxPlies} plies were played` };
  }
}
