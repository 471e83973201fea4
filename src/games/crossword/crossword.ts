import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { Form, options, parseWord } from "./form.ts";
import { leave, score } from "./judge.ts";
import { MAX_ACTIONS, MoveFinder } from "./moves.ts";
import { createPicture } from "./picture.ts";
import { CrosswordState, maxTurnsOf } from "./state.ts";
import { crosswordNotation, drawBoard, formatAction, standing } from "./text.ts";
import { createPrivacy } from "./worlds.ts";

/** The form of each game's options, which rules and facets share. */
const forms = new WeakMap<object, Form>();

function formOf(given: ConstructorParameters<typeof Form>[0]): Form {
  const form = forms.get(given) ?? new Form(given);
  forms.set(given, form);
  return form;
}

/**
 * A crossword game: words of letter tiles, laid across or down onto a board of premium squares. Each player draws a rack unseen.
 * In turn they lay a word with tiles of their rack, exchange tiles while the bag has a whole rack, or pass, and then draw.
 * New tiles lie in one line, without gaps but for tiles that are there, and touch them; all words that they make are in the
 * list. The first word covers the middle. A player whose rack is empty when the bag is, goes out; a round of passes, or two without
 * a play, end the game, too. Tiles on racks count against their players, and for the one who went out.
 */
export const crossword = defineGame({
  id: "crossword",
  summary: "words of letter tiles on a board of premium squares",
  options,
  lists: { words: parseWord },
  rules(given): Rules<CrosswordState> {
    const form = formOf(given);
    const finder = new MoveFinder(form);
    const start = () => new CrosswordState(form, finder);
    return {
      maxActions: MAX_ACTIONS,
      start,
      formatAction,
      ...crosswordNotation({ start }, form),
      players: form.players,
      chance: true,
      hiddenInformation: true,
      minReturn: -1 / (form.players - 1),
      ...(form.players === 2 && { outcomes: [-1, 0, 1] }),
      maxPlies: maxTurnsOf(form),
      render: (state) => [drawBoard(state), ...standing(state)].join("\n"),
      describeEnding: (state) =>
        Array.from({ length: form.players }, (_, player) => state.finalScore(player)).join(" : "),
    };
  },
  facets(given): Facets<CrosswordState> {
    const form = formOf(given);
    return {
      featureSets: { leave: leave(form) },
      heuristics: { score: score(form) },
      privacy: createPrivacy(form),
      picture: createPicture(form),
    };
  },
});
