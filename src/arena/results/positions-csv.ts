import { CHANCE, type Game, type TranscriptFormat } from "../../games/contract/game.ts";

const COLUMNS = ["game", "ply", "position", "player", "action", "value", "return", "name"];

/**
 * The positions in which players decided, for tools that learn from them: a CSV line for each, openings left out. `value` is
 * the agent's expected return, and `return` what came out in the end, both for the player to move; either is empty where it
 * is not known; `name` is that player's. The position of a forfeited game still counts with its return.
 */
export function positionsCsv(game: Game): TranscriptFormat {
  return {
    summary: "one CSV line a position, with the agent's value and the return, any game",
    writesFrom: true,
    *write(transcripts) {
      yield `${COLUMNS.join(",")}\n`;
      for (const { from, actions, id, names, openingLength = 0, returns, round, thoughts } of transcripts) {
        const state = from === undefined ? game.start() : game.parseState(from);
        let lines = "";
        for (const [ply, action] of actions.entries()) {
          const player = state.toMove;
          if (player !== CHANCE && ply >= openingLength) {
            const told = [
              id ?? round,
              ply,
              game.formatState(state),
              player,
              game.formatAction(action, state),
            ];
            const found = [thoughts?.[ply]?.value ?? "", returns[player] ?? "", names[player] ?? ""];
            lines += `${[...told, ...found].map(quoted).join(",")}\n`;
          }
          state.apply(action);
        }
        yield lines;
      }
    },
  };
}

/** A field as RFC 4180 has it. Nothing is changed for spreadsheets: programs read these files. */
function quoted(field: string | number): string {
  const text = String(field);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
