import { readFileSync } from "node:fs";
import type { Turn } from "../../agents/agent.ts";
import { InputError } from "../../base/errors.ts";
import type { Game, State } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import { viewOf } from "../json-lines/dialect.ts";

/*
 * The words that tell a chat model of a game and of a position, and the reading of an action out of its answer.
 */

/** The page with the rules of agon's games, which is part of every package. */
const GAMES_PAGE = new URL("../../../docs/games.md", import.meta.url);
/** The points of a game's section that are no rules: proofs, measurements, heuristics. */
const NO_RULES =
  /^- (?:Learning|Search|Visits|Worlds|The feature|The strategy|The common|A solver|`(?!battles))/;
/** The most actions of a list; a turn of backgammon seldom has more. */
const MAX_LISTED = 500;
/** The most actions of the play so far, counted from its end. */
const MAX_PLAYED = 200;
/** The characters with which models dress an action up. */
const DRESS = /[\s*_`"'.,;!()[\]]/;
/** The line of an action: headings, lists and bold type are allowed around it. */
const ACTION_LINE = /^[ \t>*_`#-]*ACTION[ \t*_`]*:(.*)$/gim;
/** The most characters of an action. */
const MAX_ACTION = 200;

/** The text that asks for a decision, and the name of the decision. */
export interface Question {
  readonly text: string;
  /** Names the decision within its game: the play so far, or all that the player has noticed. */
  readonly place: string;
}

/** The rules of a game in words, from its section of docs/games.md; undefined for a game of the user's. */
export function rulesOf(id: string): string | undefined {
  const page = `\n${readFileSync(GAMES_PAGE, "utf8")}`;
  const [, section] = page.split(`\n## ${id}\n`);
  const [rules] = section?.split(/\n## |\n- Proof|\n```/) ?? [];
  const parts = rules
    ?.trim()
    .split(/\n(?=- )/)
    .filter((part) => !NO_RULES.test(part));
  return parts?.join("\n").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** The conditions of all questions of one game. @param rules the rules in words [none are told] */
export function introduce(game: Game, { seat, rules }: { seat: number; rules: string | undefined }): string {
  const { id, options, players } = game;
  const named = Object.entries(options).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const place = players === 1 ? "" : ` You are player ${seat} of the players 0 to ${players - 1}.`;
  return [
    `You play the game ${id}${named.length === 0 ? "" : ` (${named.join(", ")})`}.${place}`,
    ...(rules === undefined ? [] : [`The rules:\n\n${rules}`]),
    "Think as much as you need. Then end your answer with one line that has your action in the notation of the game, and nothing else:\n\nACTION: your action",
  ].join("\n\n");
}

/**
 * The question for the player to move, who is told what it may see and nothing else.
 * @param lists true if the legal actions are listed
 */
export function ask(game: Game, state: State, { turn, lists }: { turn: Turn; lists: boolean }): Question {
  const { position, board = "" } = viewOf(game, state);
  const codes = turn.knowledge?.codes;
  const played = codes === undefined ? playTo(game, turn) : undefined;
  const parts = [
    ...(played === undefined
      ? []
      : [`Actions so far: ${listOf(played.slice(-MAX_PLAYED), played.length) || "none"}`]),
    ...(position === undefined ? [] : [`Position: ${position}`]),
    board,
    ...(lists ? [`Legal actions: ${listOf(legalTexts(game, state).slice(0, MAX_LISTED))}`] : []),
    `Player ${state.toMove} is to move: you.`,
  ];
  const place = codes?.join(" ") ?? played?.join(" ") ?? position!;
  return { text: parts.join("\n\n"), place };
}

/** The action that an answer names, or why it names none, as a sentence to its author. */
export function readAction(
  game: Game,
  state: State,
  { words, isCut, lists }: { words: string; isCut: boolean; lists: boolean },
): { readonly action: number } | { readonly fault: string } {
  const given = [...words.matchAll(ACTION_LINE)].at(-1)?.[1]?.trim().slice(0, MAX_ACTION);
  if (given === undefined || given === "")
    return {
      fault: isCut
        ? "Your answer was cut at its longest length, before a line with your action. Think less."
        : 'Your answer has no line with your action. End it with such a line: "ACTION: your action".',
    };
  for (const text of undressed(given)) {
    try {
      return { action: game.parseAction(text, state) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
  const choose = lists ? " Choose one of the legal actions that are listed." : "";
  return { fault: `${JSON.stringify(given.slice(0, 80))} is not a legal action here.${choose}` };
}

/** The text, and what is left of it without its dress: first none of it at the end, then one more character each time. */
function* undressed(given: string): Generator<string> {
  yield given;
  let text = given;
  while (text !== "" && DRESS.test(text[0]!)) text = text.slice(1);
  for (; text !== ""; text = text.slice(0, -1)) {
    yield text;
    if (!DRESS.test(text.at(-1)!)) return;
  }
}

/** The play so far as texts; undefined where nobody knows it. */
function playTo(game: Game, { played }: Turn): string[] | undefined {
  if (played === undefined) return undefined;
  const { from, actions } = played();
  const position = from === undefined ? game.start() : game.parseState(from);
  return actions.map((action) => {
    const text = game.formatAction(action, position);
    position.apply(action);
    return text;
  });
}

function legalTexts(game: Game, state: State): string[] {
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
}

/** The texts in one line; `all` is their number with those that are left out. */
function listOf(texts: readonly string[], all = texts.length): string {
  const separator = texts.some((text) => text.includes(" ")) ? ", " : " ";
  const left = all - texts.length;
  return `${left > 0 ? `(${left} earlier ones) ` : ""}${texts.join(separator)}`;
}
