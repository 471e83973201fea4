import type { Random } from "../base/random.ts";
import { CHANCE, type Game, type State } from "../games/contract/game.ts";
import { fromSetup } from "../games/contract/setups.ts";
import type { Played, Turn } from "./agent.ts";
import { DrawnWorld } from "./worlds.ts";

/** A game does not keep what games/contract/rules.ts demands. */
export class BrokenContract extends RangeError {}

/** The most chance events in a row without a decision. A game with more of them never ends. */
const MAX_CHANCE_EVENTS = 100_000;

/** The beginning of a game. */
interface Beginning {
  /** Draws the outcomes of chance; absent in games without chance. */
  readonly chance: Random | undefined;
  /** The actions before the first decision. */
  readonly opening?: readonly number[];
  /** A position of the game's notation in place of its start. */
  readonly from?: string;
}

/**
 * A game at play: the position, the actions so far, and what the player to move may see of them. One object serves one game
 * after the other. Throws BrokenContract.
 */
export class GameInProgress {
  readonly game: Game;
  readonly state: State;
  /** Every action since the beginning, with the opening and the outcomes of chance. */
  readonly actions: number[] = [];
  /** By player: the position as the player saw it last. */
  readonly views: readonly State[];
  private readonly start: State;
  /** Draws the worlds that players see; undefined in games of perfect information. */
  private readonly world: DrawnWorld | undefined;
  private readonly out: Int32Array;
  private readonly probabilities: Float64Array;
  private chance: Random | undefined;
  private from: string | undefined;
  private chanceEvents = 0;
  /** What players are told where all is open. */
  private readonly open = { played: (): Played => this.played() };
  private decisions = 0;

  constructor(game: Game) {
    this.game = game;
    this.state = game.start();
    this.start = game.start();
    this.views = Array.from({ length: game.players }, () => game.start());
    this.world = game.hiddenInformation ? new DrawnWorld(game) : undefined;
    this.out = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  begin({ chance, opening = [], from }: Beginning): void {
    const { state, actions, game } = this;
    this.chance = chance;
    this.chanceEvents = 0;
    this.from = from;
    actions.length = 0;
    actions.push(...opening);
    state.copyFrom(from === undefined ? this.start : game.parseState(from));
    this.decisions = 0;
    for (const action of opening) {
      if (state.toMove !== CHANCE) this.decisions++;
      state.apply(action);
    }
  }

  /** The actions of players so far. */
  get plies(): number {
    return this.decisions;
  }

  apply(action: number): void {
    if (this.state.toMove !== CHANCE) this.decisions++;
    this.actions.push(action);
    this.state.apply(action);
  }

  /** Plays what chance draws, and returns it. */
  drawChance(): number {
    const { state, chance, out, probabilities } = this;
    if (++this.chanceEvents > MAX_CHANCE_EVENTS)
      throw new BrokenContract(`${MAX_CHANCE_EVENTS} chance events follow each other`);
    if (chance === undefined) throw new BrokenContract("there is a chance event, but `chance` is false");
    const count = state.chanceOutcomes!(out, probabilities, 0);
    if (!(count > 0)) throw new BrokenContract(`a chance event has ${String(count)} outcomes`);
    const outcome = out[chance.weighted(probabilities, 0, count)]!;
    this.apply(outcome);
    if (state.toMove !== CHANCE) this.chanceEvents = 0;
    return outcome;
  }

  /**
   * Sets the view of the player to move: a copy of the position or, where something is hidden, a world that `random` draws.
   * Returns what the player is told with it.
   */
  see(random: Random | undefined): Required<Pick<Turn, "played">> & Pick<Turn, "knowledge"> {
    const view = this.views[this.state.toMove]!;
    if (this.world !== undefined) return this.world.draw(this.actions, view, random!);
    view.copyFrom(this.state);
    return this.open;
  }

  /** True if the player to move may play the action. */
  isLegal(action: unknown): action is number {
    return this.legalActions().includes(action as number);
  }

  /** The actions of the player to move. They hold until the next call of the game. */
  legalActions(): Int32Array {
    const count = this.state.legalActions(this.out, 0);
    if (!(count >= 1))
      throw new BrokenContract(`there is no legal action in ${this.game.formatState(this.state)}`);
    return this.out.subarray(0, count);
  }

  /** The returns of a game that is over, by player. */
  returns(): number[] {
    const returns = Array.from(this.views, (_, player) => this.state.returns(player));
    for (const one of returns) {
      if (!Number.isFinite(one)) throw new BrokenContract(`the returns are ${returns.join(", ")}`);
    }
    return returns;
  }

  private played(): Played {
    const { game, actions, from } = this;
    return from === undefined ? fromSetup(game, actions) : { from, actions: [...actions] };
  }
}
