import { possibleActions } from "../contract/notation.ts";
import { describeError } from "../../base/thrown.ts";
import { fail, type Check } from "./finding.ts";
import { difference, observe, text, type GameTrial } from "./game-trial.ts";

/** Texts that in most games are no action and no position. A game that has one of them must read it correctly. */
const NONSENSE = ["", " ", "no such", "0", "-1", "99999999999", "zz9", "{}", "1e400"];

/** The checks of how actions and positions are written. */
export const notationChecks: readonly Check<GameTrial>[] = [
  {
    name: "action-notation",
    demand: "formatAction writes each action differently, on one line, and parseAction reads it back",
    run: checkActionNotation,
  },
  {
    name: "action-refusal",
    demand: "parseAction throws InputError, which repeats the text, for a text that is no legal action",
    run: checkActionRefusal,
  },
  {
    name: "state-notation",
    demand: "formatState writes a position on one line, and parseState reads it back as the same position",
    run: checkStateNotation,
  },
  {
    name: "state-refusal",
    demand: "parseState throws InputError for a text that is no position",
    run: checkStateRefusal,
  },
];

function checkActionNotation(trial: GameTrial): void {
  const { game } = trial;
  trial.forEachPosition("action-notation", 1 / 4, (state) => {
    const names = new Map<string, number>();
    for (const action of possibleActions(game, state)) {
      const name = game.formatAction(action, state);
      if (typeof name !== "string" || name === "" || name.includes("\n"))
        fail(`formatAction writes action ${action} as ${text(name)}`);
      const other = names.get(name);
      if (other !== undefined)
        fail(`formatAction writes both action ${other} and action ${action} as "${name}"`);
      names.set(name, action);
      const read = game.parseAction(name, state);
      if (read !== action)
        fail(`formatAction writes action ${action} as "${name}", and parseAction reads it as ${text(read)}`);
    }
  });
}

function checkActionRefusal(trial: GameTrial): void {
  const { game } = trial;
  const given = "no such action";
  trial.forEachPosition("action-refusal", 1 / 4, (state) => {
    const answer = attempt(() => game.parseAction(given, state));
    if (!answer.refused) fail(`parseAction("${given}") ${answer.outcome}`);
    if (!answer.message.includes(given))
      fail(`parseAction("${given}") is refused without repeating the text: "${answer.message}"`);
  });
  trial.forEachPosition("action-nonsense", 1 / 12, (state) => {
    const possible = possibleActions(game, state);
    for (const nonsense of NONSENSE) {
      const answer = attempt(() => game.parseAction(nonsense, state));
      if (!answer.refused && !possible.includes(answer.value as number))
        fail(`parseAction(${text(nonsense)}) ${answer.outcome}, which is not legal here`);
    }
  });
}

function checkStateNotation(trial: GameTrial): void {
  const { game } = trial;
  trial.forEachPosition("state-notation", 1 / 3, (state) => {
    const name = game.formatState(state);
    if (typeof name !== "string" || name.includes("\n")) fail(`formatState gives ${text(name)}`);
    const read = game.parseState(name);
    const wrong = difference(observe(game, read), observe(game, state), "in the original it is");
    if (wrong !== undefined) fail(`parseState(${text(name)}) gives another position: ${wrong}`);
  });
}

function checkStateRefusal(trial: GameTrial): void {
  const { game } = trial;
  trial.locate(undefined);
  const given = "no such position";
  const answer = attempt(() => game.parseState(given));
  if (!answer.refused) fail(`parseState("${given}") ${answer.outcome}`);
  for (const nonsense of NONSENSE) {
    const other = attempt(() => observe(game, game.parseState(nonsense)));
    if (!other.refused && other.value === undefined) fail(`parseState(${text(nonsense)}) ${other.outcome}`);
  }
}

/** The outcome of a parser: it refused the text by InputError, returned a value, or threw something else. */
interface Answer {
  readonly refused: boolean;
  readonly message: string;
  readonly value: unknown;
  /** The same in words, which stand after the call in a finding. */
  readonly outcome: string;
}

/** Calls a parser. */
function attempt(parse: () => unknown): Answer {
  try {
    const value = parse();
    return { refused: false, message: "", value, outcome: `returns ${text(value)}` };
  } catch (error) {
    // The class is told by its name, since a user's file may have its own copy of it.
    const refused = error instanceof Error && error.name === "InputError";
    const message = error instanceof Error ? error.message : String(error);
    return { refused, message, value: undefined, outcome: `throws ${describeError(error)}` };
  }
}
