import type { RankedEntrant, Report } from "./report.ts";
import { roundFigure } from "./json.ts";

const COLUMNS = [
  "rank",
  "name",
  "elo",
  "low",
  "high",
  "games",
  "wins",
  "draws",
  "losses",
  "score",
  "drawRate",
  "meanReturn",
  "nodesPerMove",
  "msPerMove",
  "forfeits",
] as const satisfies readonly (keyof RankedEntrant)[];

/** The rating table as comma-separated values (quoted as in RFC 4180), with the keys of the JSON form as its header. */
export function formatCsv({ entrants }: Report): string {
  const lines = entrants.map((entrant) => COLUMNS.map((column) => formatCell(entrant[column])).join(","));
  return [COLUMNS.join(","), ...lines].join("\n");
}

function formatCell(value: string | number): string {
  if (typeof value === "number") return String(roundFigure(value));
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
