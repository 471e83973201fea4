import type { z } from "zod";
import type { Evaluator, Game, State } from "../../games/game.ts";
import type { Agent, AgentParts, Decision, Turn } from "../agent.ts";
import { deepen, DEEPEST, type Iteration } from "./deepening.ts";
import { PrincipalLines } from "./line.ts";
import { Meter } from "./meter.ts";
import type { depthFirstOptions } from "./options.ts";

/** The shared options, checked. */
export type DepthFirstOptions = z.output<z.ZodObject<typeof depthFirstOptions>>;

/** What depth-first searches share: all but how values are backed up. */
export abstract class DepthFirstSearch implements Agent {
  protected readonly game: Game;
  protected readonly evaluator: Evaluator;
  /** The searcher's own: advanced and taken back. */
  protected readonly state: State;
  protected readonly lines: PrincipalLines;
  protected readonly meter = new Meter();
  /** How many positions a path may have in which a player moves, the last one included. */
  protected readonly levels: number;
  /** Set to false when the depth limit cuts something off. */
  protected complete = true;
  /** See Deepening. */
  protected abstract readonly proves: boolean;
  private readonly options: DepthFirstOptions;

  constructor({ game, options, evaluator }: AgentParts<DepthFirstOptions>) {
    const deepest = Math.min(game.maxPlies, DEEPEST);
    this.game = game;
    this.evaluator = evaluator;
    this.options = options;
    this.state = game.start();
    this.levels = deepest + 1;
    this.lines = new PrincipalLines(deepest);
  }

  choose(root: State, turn: Turn): Decision {
    const { game, meter, options, proves, state } = this;
    return deepen({
      game,
      root,
      state,
      turn,
      meter,
      deepening: options.deepening,
      ties: options.ties,
      proves,
      iterate: (depth, rootActions) => this.iterate(depth, rootActions),
    });
  }

  /**
   * Value for the player to move at the root, where `state` is, of the best of `actions`; its line is
   * left in `lines`. The root itself is counted already.
   */
  protected abstract search(depth: number, actions: Int32Array): number;

  private iterate(depth: number, rootActions: Int32Array): Iteration {
    this.complete = true;
    this.meter.count();
    const value = this.search(depth, rootActions);
    const line = this.lines.root();
    return { action: line[0]!, value, line, complete: this.complete };
  }
}
