import { CHANCE, TERMINAL, type Game, type State, type Transcript, type TranscriptFormat } from "./game.ts";

/** The decisions of a game in its notation, chance left out. */
export function moveTexts<S extends State>(game: Game<S>, { actions }: Transcript): string[] {
  const state = game.start();
  const texts: string[] = [];
  for (const action of actions) {
    if (state.toMove === TERMINAL) break;
    if (state.toMove !== CHANCE) texts.push(game.formatAction(action, state));
    state.apply(action);
  }
  return texts;
}

/** One JSON object a line: names, every action in notation (chance too), returns, forfeit. For any game. */
export function jsonLines(game: Game): TranscriptFormat {
  return {
    summary: "one JSON object a line, any game",
    write: (games) => games.map((transcript) => `${JSON.stringify(toJson(game, transcript))}\n`).join(""),
  };
}

function toJson(game: Game, { event, round, names, actions, returns, forfeit }: Transcript): object {
  const state = game.start();
  const moves = actions.map((action) => {
    const text = game.formatAction(action, state);
    state.apply(action);
    return text;
  });
  return { event, round, names, moves, returns, forfeit };
}
