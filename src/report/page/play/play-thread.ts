import { fromSetup } from "../../../games/contract/setups.ts";
import type { Call, Reply } from "../../../base/caller.ts";
import { createRandom } from "../../../base/random.ts";
import { InputError } from "../../../base/errors.ts";
import { describeError } from "../../../base/thrown.ts";
import type { Agent, Budget, Played, Turn } from "../../../agents/agent.ts";
import { analysePosition } from "../../../agents/analysis.ts";
import { DrawnWorld } from "../../../agents/worlds.ts";
import { prepareAgent, type PreparedAgent } from "../../../agents/prepare.ts";
import { namedEvaluator } from "../../../evaluators/index.ts";
import { unflatten } from "../../../evaluators/models.ts";
import { parseOnnx } from "../../../evaluators/network/onnx/onnx-network.ts";
import { createStored } from "../../../evaluators/stored-weights.ts";
import {
  TERMINAL,
  type Evaluator,
  type Game,
  type State,
  type TranscriptFormat,
  isDuel,
} from "../../../games/contract/game.ts";
import { jsonLines, legalLine, possibleActions, sampleChance } from "../../../games/contract/notation.ts";
import { playerPaint } from "../../../games/contract/picture.ts";
import { ObservedGame } from "../../../games/contract/privacy.ts";
import { createGame } from "../../../games/index.ts";
import { observeSearch } from "../../../explain/tree/record/observe.ts";
import { boardOf } from "../board-data.ts";
import type { PageData } from "../data.ts";
import { lastDecision, movesFrom, playerNames, turnOf } from "../game-text.ts";
import type {
  AnalysisData,
  Choice,
  DecisionData,
  GameInfo,
  Kind,
  OpinionData,
  PositionData,
  Question,
  Questions,
  Setup,
} from "./messages.ts";
import { agentFamilies, equipFromFiles, gameFamilies } from "./user-code.ts";

/*
 * The rules and the agents of a run, in a thread of their own, with the same code as in tournaments.
 */

/** The budget here of an agent that had a clock in its run, and no budget. */
const WITHOUT_CLOCK: Budget = { timeMs: 1000 };
/** The number of lines of an analysis. */
const LINES = 3;

/** The most nodes that a tree keeps of each iteration. */
const TREE_NODES = 2000;

type Asked<K extends Kind> = Questions[K]["asked"];

/** Answers questions, one after the other. */
class Thinker {
  private readonly setup: Setup;
  private readonly game: Game;
  private readonly agents = new Map<number, Promise<PreparedAgent & { agent: Agent }>>();
  private readonly answers: { [K in Kind]: (asked: Asked<K>) => Promise<Questions[K]["answer"]> };

  constructor(setup: Setup) {
    this.setup = setup;
    this.game = createGame(setup.game, gameFamilies(setup.game.id));
    this.answers = {
      game: async () => this.info(),
      position: async ({ played, viewer }) => this.position(played, viewer),
      chance: async ({ played, seed }) => {
        const random = createRandom("dice", seed, played.actions.join());
        return { action: sampleChance(this.game, this.stateOf(played), random) };
      },
      decision: (asked) => this.decide(asked),
      analysis: (asked) => this.analyse(asked),
      opinion: async (asked) => this.opine(asked),
      tree: async (asked) =>
        observeSearch({ ...(await this.question(asked)), limits: { maxNodes: TREE_NODES } }),
      file: async (asked) => ({ text: this.file(asked) }),
    };
  }

  async answer(question: Question): Promise<Questions[Kind]["answer"]> {
    const answer = this.answers[question.kind] as (asked: object) => Promise<Questions[Kind]["answer"]>;
    return answer(question);
  }

  private info(): GameInfo {
    const { game } = this;
    const { minReturn, maxReturn, picture } = game;
    const names = playerNames(game);
    return {
      names,
      paints: names.map((_, player) => playerPaint(picture, player)),
      isDuel: isDuel(game),
      isHidden: game.hiddenInformation,
      minReturn,
      maxReturn,
      ...(picture?.below !== undefined && { below: picture.below }),
      formats: Object.entries(this.formats()).map(([ending, { summary }]) => ({ ending, summary })),
    };
  }

  private position(played: Played, viewer: number | undefined): PositionData {
    const { game } = this;
    const { from, actions } = played;
    const now = this.stateOf(played);
    if (viewer !== undefined && now.toMove !== TERMINAL) return this.view(now, viewer);
    const moves = movesFrom(game, this.startOf(from), actions);
    const last = lastDecision(
      moves.map(({ mover }) => mover),
      moves.length,
    );
    const before = this.stateOf({
      ...(from !== undefined && { from }),
      actions: actions.slice(0, Math.max(0, last)),
    });
    const marked = last < 0 ? [] : this.touches(before, actions[last]!);
    return {
      board: boardOf(game, now, marked, undefined),
      toMove: now.toMove,
      turn: turnOf(game, now),
      choices: now.toMove < 0 ? [] : this.choices(now),
      moves,
      notation: game.formatState(now),
    };
  }

  /** A position as a player sees it. */
  private view(state: State, viewer: number): PositionData {
    return {
      board: boardOf(this.game, state, [], viewer),
      toMove: state.toMove,
      turn: "the others play",
      choices: state.toMove === viewer ? this.choices(state) : [],
      moves: [],
      notation: "",
    };
  }

  private choices(state: State): Choice[] {
    return Array.from(possibleActions(this.game, state)).flatMap((action) => {
      const choice = this.choice(state, action);
      const touches = this.game.picture?.otherTouches?.(state, action);
      return touches === undefined ? [choice] : [choice, { ...choice, touches }];
    });
  }

  private choice(state: State, action: number): Choice {
    // A player's own view that is text has no places.
    const { privacy, picture } = this.game;
    const touches = privacy !== undefined && picture?.view === undefined ? [] : this.touches(state, action);
    return { action, name: this.game.formatAction(action, state), touches };
  }

  private touches(state: State, action: number): readonly number[] {
    return this.game.picture?.touches(state, action) ?? [];
  }

  private startOf(from: string | undefined): State {
    if (from !== undefined && this.game.hiddenInformation)
      throw new InputError("a game of hidden information begins at the start");
    return from === undefined ? this.game.start() : this.game.parseState(from);
  }

  /** The position after the play; throws InputError if the rules do not allow it. */
  private stateOf({ from, actions }: Played): State {
    const { game } = this;
    const state = this.startOf(from);
    actions.forEach((action, index) => {
      if (!possibleActions(game, state).includes(action))
        throw new InputError(`move ${index + 1}, ${action}, is not possible there`);
      state.apply(action);
    });
    return state;
  }

  /**
   * The position as the player to move may see it, what the player is told, and the generator of its decision. The same
   * position gives the same move in every browser. Where something is hidden, all follow from the player's codes and the seed.
   */
  private seen(
    played: Played,
    ...names: readonly string[]
  ): { state: State; told: Pick<Turn, "random" | "played"> } {
    const { game } = this;
    const truth = this.stateOf(played);
    const { toMove: player } = truth;
    if (!game.hiddenInformation || player < 0)
      return {
        state: truth,
        told: { random: createRandom(...names, played.actions.join()), played: () => played },
      };
    const observed = new ObservedGame(game);
    observed.replay(played.actions);
    const key = observed.key(player);
    const state = game.start();
    const world = createRandom("world", ...names, player, key);
    const drawn = new DrawnWorld(game).draw(played.actions, state, world);
    return { state, told: { random: createRandom(...names, player, key), ...drawn } };
  }

  private async decide({ entrant, played, seed }: Asked<"decision">): Promise<DecisionData> {
    const { agent, budget } = await this.agent(entrant);
    const names = ["page", String(entrant), ...(this.game.hiddenInformation ? [seed] : [])];
    const { state, told } = this.seen(played, ...names);
    const { action, value, depth, nodes } = await agent.choose(this.copyOf(state), {
      budget,
      clock: () => performance.now(),
      ...told,
    });
    return {
      ...this.choice(state, action),
      nodes,
      ...(value !== undefined && { value }),
      ...(depth !== undefined && { depth }),
    };
  }

  private async analyse({ entrant, played, step }: Asked<"analysis">): Promise<AnalysisData> {
    const { game } = this;
    const { agent, family } = await this.agent(entrant);
    const { state, told } = this.seen(played, "analysis", String(entrant));
    if (state.toMove < 0) throw new InputError(turnOf(game, state));
    const budget = budgetOf(family.budgets, step);
    const { value, depth, nodes, line, ranking, pliesToEnd } = await agent.choose(this.copyOf(state), {
      budget: budget ?? {},
      clock: () => performance.now(),
      ...told,
      ranked: LINES,
    });
    const best = ranking ?? [{ line, ...(value !== undefined && { value }) }];
    return {
      lines: best.map((one) => ({
        moves: legalLine(game, state, one.line),
        ...(one.value !== undefined && { value: one.value }),
      })),
      nodes,
      ...(depth !== undefined && { depth }),
      isFinal:
        budget === undefined ||
        pliesToEnd !== undefined ||
        (budget.depth !== undefined && depth !== undefined && depth < budget.depth),
    };
  }

  /** A position and the agent that is asked about it, as `agon analyze` and `agon tree` ask. */
  private async question({ entrant, played }: Asked<"opinion">) {
    const [prepared, state] = [await this.agent(entrant), this.stateOf(played)];
    return { game: this.game, prepared, state, seed: "agon", clock: () => performance.now() };
  }

  private async opine(asked: Asked<"opinion">): Promise<OpinionData> {
    const question = await this.question(asked);
    const { game, state, prepared } = question;
    // A ranking takes more than the decision in other searches.
    const simulates = prepared.family.id === "mcts";
    const { best, ...found } = await analysePosition({
      ...question,
      ...(simulates && { ranked: game.maxActions }),
    });
    if (best === undefined) return found;
    const withPlaces = best.map(({ action, ...one }) => ({
      ...one,
      touches: this.touches(state, game.parseAction(action, state)),
    }));
    return { ...found, best: withPlaces };
  }

  private copyOf(state: State): State {
    const copy = this.game.start();
    copy.copyFrom(state);
    return copy;
  }

  private formats(): Readonly<Record<string, TranscriptFormat>> {
    return { ...this.game.transcripts, jsonl: jsonLines(this.game) };
  }

  private file({ format, played, names }: Asked<"file">): string {
    const { players } = this.game;
    const state = this.stateOf(played);
    const isOver = state.toMove === TERMINAL;
    const returns = isOver ? Array.from({ length: players }, (_, player) => state.returns(player)) : [];
    const line = played.from === undefined ? fromSetup(this.game, played.actions) : played;
    const transcript = { ...line, event: "agon", round: 1, names, returns, forfeit: "" };
    return Array.from(this.formats()[format]!.write([transcript])).join("");
  }

  /** The agent that an entrant is. Where something is hidden, it is made anew for each decision: it serves several seats. */
  private async agent(entrant: number): Promise<PreparedAgent & { agent: Agent }> {
    const known = this.agents.get(entrant) ?? this.make(entrant);
    this.agents.set(entrant, known);
    const made = await known;
    return this.game.hiddenInformation ? { ...made, agent: made.create() } : made;
  }

  private async make(entrant: number): Promise<PreparedAgent & { agent: Agent }> {
    const { spec, weights } = this.setup.entrants[entrant]!;
    const carried = weights === undefined ? undefined : this.setup.weights[weights]!;
    const game = equipFromFiles(this.game, spec, carried?.model);
    const stored = carried === undefined ? undefined : await loadCarried(game, carried);
    // A page starts no threads for an agent: here it decides alone.
    const { threads: _, ...alone } = spec;
    const prepared = prepareAgent(game, alone as typeof spec, {
      families: agentFamilies(spec.agent),
      defaultBudget: WITHOUT_CLOCK,
      loadEvaluator: (_, name) => stored ?? namedEvaluator(game, name),
      // The page does not carry tables: here the agent plays without them.
      loadTables: () => undefined,
      loadBook: () => undefined,
    });
    return { ...prepared, agent: prepared.create() };
  }
}

/** The evaluator of weights that the page carries. */
async function loadCarried(game: Game, { model, data }: PageData["weights"][string]): Promise<Evaluator> {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const stored = await new Response(stream).arrayBuffer();
  if (model.kind === "onnx") return createStored(game, { model, graph: parseOnnx(new Uint8Array(stored)) });
  const weights = new Float32Array(stored);
  return createStored(
    game,
    model.kind === "network" ? { model, network: unflatten(game, model, weights) } : { model, weights },
  );
}

/** The budget of a step of an analysis; undefined if the agent keeps none. */
function budgetOf(keys: readonly (keyof Budget)[], step: number): Budget | undefined {
  if (keys.includes("depth")) return { depth: Math.min(1000, step + 1) };
  if (keys.includes("simulations")) return { simulations: 100 * 2 ** step };
  if (keys.includes("nodes")) return { nodes: 1000 * 2 ** step };
  return keys.includes("timeMs") ? { timeMs: 250 * 2 ** step } : undefined;
}

/** The thread's side: answers the page's questions. The first message is the setup. */
export function startPlayThread(): void {
  let thinker: Promise<Thinker>;
  addEventListener("message", ({ data }: MessageEvent<Setup | Call<Question>>) => {
    if ("entrants" in data) {
      thinker = (async () => new Thinker(data))();
      // The reply to each question has this error.
      thinker.catch(() => {});
    } else
      void replyTo(data, async (question) => (await thinker).answer(question)).then((text) =>
        postMessage(text),
      );
  });
}

/** The reply to a question as JSON. What the user's code returns may be no data. */
async function replyTo(
  { number, question }: Call<Question>,
  answer: (question: Question) => Promise<unknown>,
): Promise<string> {
  try {
    return JSON.stringify({ number, answer: await answer(question) } satisfies Reply<unknown>);
  } catch (error) {
    const failure = { name: "Error", message: problemOf(error) };
    return JSON.stringify({ number, failure } satisfies Reply<unknown>);
  }
}

/** The reason why there is no answer: what agon's own code says, or what the user's throws. */
function problemOf(error: unknown): string {
  return error instanceof InputError ? error.message : `the code throws ${describeError(error)}`;
}
