import stringWidth from "string-width";
import { formatPercent, padEnd, padStart } from "../../base/text.ts";
import { GROUP_POSITIONS } from "./groups.ts";
import type { Inspection } from "./inspect.ts";
import type { NetworkSurvey, Pattern } from "./survey.ts";
import { drawHeatMaps, numberFormat, sideBySide, type Drawing } from "./heat-map.ts";

/**
 * Writes an inspection for people.
 * @param path of the weights file
 * @param colour true: heat maps are shaded with the colours of a terminal
 * @param width characters of a line, which heat maps side by side do not exceed
 */
export function formatInspection(
  path: string,
  inspection: Inspection,
  { colour, width }: { colour: boolean; width: number },
): string {
  const { positive, negative, heatMaps, network, patterns } = inspection;
  const measures = [...new Set(heatMaps.map(({ measure }) => measure))];
  return [
    formatHeader(path, inspection),
    positionSection(inspection),
    stageSection(inspection),
    pieceSection(inspection),
    groupSection(inspection),
    network === undefined ? "" : networkSections(network),
    network === undefined ? weightSection("Largest weights above zero", positive, inspection) : "",
    network === undefined ? weightSection("Furthest below zero", negative, inspection) : "",
    patternSection("Most liked patterns", patterns.liked, width),
    patternSection("Least liked patterns", patterns.disliked, width),
    ...measures.map((measure) => {
      const maps = heatMaps.filter((map) => map.measure === measure);
      return `By place on the board: ${measure}\n\n${drawHeatMaps(maps, { colour, width })}`;
    }),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

function formatHeader(path: string, inspection: Inspection): string {
  const { game, evaluator, features, training, bytes, weights } = inspection;
  const { count, nonZero, notFinite } = weights;
  const options = Object.keys(game.options).length === 0 ? "" : ` ${JSON.stringify(game.options)}`;
  const set = evaluator.kind === "n-tuple" ? "" : ` over ${evaluator.features}`;
  const lines: (readonly [string, string])[] = [
    ["game", `${game.id}${options}, version ${game.version}`],
    ["evaluator", `${evaluator.kind}${set}: ${features}`],
    ["output", outputText(inspection)],
    ...policyLines(inspection),
    [
      "weights",
      count === 0
        ? "not counted: onnxruntime computes the network"
        : `${whole(count)}, ${whole(nonZero)} of them not zero (${percent(nonZero, count)})`,
    ],
    ...(notFinite > 0 ? [["broken", `${whole(notFinite)} weights are NaN or infinite`] as const] : []),
    ["training", trainingText(training)],
    ...ratingLines(training["rating"]),
    ...agreementLines(inspection),
    ["size", sizeText(bytes)],
  ];
  return [path, ...lines.map(([name, text]) => `  ${name.padEnd(11)}${text}`)].join("\n");
}

function outputText({ evaluator, network, policy }: Inspection): string {
  if ("output" in evaluator) return evaluator.output;
  if (evaluator.kind === "onnx") return `${evaluator.head} from the layers of an ONNX file`;
  const logits = policy !== undefined && "actions" in policy ? policy.actions : 0;
  const layers =
    network?.layers.map(({ units, activation }, at) =>
      at === network.layers.length - 1 ? `${units - logits} ${activation}` : `${units} ${activation}`,
    ) ?? [];
  return `${evaluator.head} from layers ${[network?.layers[0]?.inputs, ...layers].join(" -> ")}`;
}

function policyLines({ policy }: Inspection): (readonly [string, string])[] {
  if (policy === undefined) return [];
  if ("count" in policy) {
    const { count, nonZero } = policy;
    const share = percent(nonZero, count);
    return [
      ["policy", `${whole(count)} more weights for logits, ${whole(nonZero)} of them not zero (${share})`],
    ];
  }
  const { actions, version } = policy;
  return [
    [
      "policy",
      `${whole(actions)} logits, one for each number of an action; version ${version} of the numbers`,
    ],
  ];
}

function trainingText({ method, games, seed, date, config }: Inspection["training"]): string {
  const parts = [method, `${whole(games)} games`, `seed ${seed}`, date];
  return [...parts, ...(typeof config === "string" ? [`config ${config}`] : [])].join(", ");
}

/** Returns the lines of the rating that `agon train` writes into the header; empty without such a rating. */
function ratingLines(rating: unknown): (readonly [string, string])[] {
  if (typeof rating !== "object" || rating === null) return [];
  const { elo, low, high, score, scoreLow, scoreHigh, meanReturn, pool } = rating as Readonly<
    Record<string, unknown>
  >;
  if (typeof elo !== "number") return [];
  const scored = typeof score === "number" ? [`score ${formatPercent(score)}%`] : [];
  const figures = [
    // The score stands in place of an Elo where all was won, or lost.
    ...(typeof scoreLow === "number" && typeof scoreHigh === "number"
      ? [...scored, `95% interval ${formatPercent(scoreLow)} to ${formatPercent(scoreHigh)}%`]
      : [
          `${elo} Elo`,
          ...(typeof low === "number" && typeof high === "number" ? [`95% interval ${low} to ${high}`] : []),
          ...scored,
        ]),
    ...(typeof meanReturn === "number" ? [`mean return ${meanReturn}`] : []),
  ];
  const others = typeof pool === "object" && pool !== null ? Object.entries(pool) : [];
  return [
    ["rating", figures.join(", ")],
    ...(others.length === 0
      ? []
      : [["against", others.map(([name, figure]) => `${name} ${String(figure)}`).join(", ")] as const]),
  ];
}

function agreementLines({ agreement }: Inspection): (readonly [string, string])[] {
  if (agreement === undefined) return [];
  const { positions, heuristics } = agreement;
  const figures = heuristics.map(({ name, correlation }) => `${name} ${correlation?.toFixed(2) ?? "-"}`);
  return [
    ["agreement", `${figures.join(", ")} (rank correlation, ${whole(positions)} positions of random games)`],
  ];
}

/** The judgement of a position. */
function positionSection({ position }: Inspection): string {
  if (position === undefined) return "";
  const { state, value, policy } = position;
  const head = `Position ${state}: ${value.toFixed(4)} for the player to move`;
  if (policy === undefined) return `${head}; these weights have no policy`;
  const lines = policy.map(({ action, probability }) => [percent(probability, 1), action]);
  return `${head}; its likeliest actions\n${listing(lines)}`;
}

/** The pieces as columns, in pawns; a line for each stage. */
function pieceSection({ pieces }: Inspection): string {
  if (pieces.length === 0) return "";
  const stages = [...new Set(pieces.map(({ stage }) => stage))];
  const kinds = [...new Set(pieces.map(({ name }) => name))];
  const format = numberFormat(pieces.map(({ weight }) => weight));
  const pawn = pieces.filter(({ name }) => name === kinds[0]);
  return `Pieces, a ${kinds[0]} being 1, by their weights alone\n\n${columns([
    [stages.length > 1 ? "Stage" : "", ...kinds, `weight of a ${kinds[0]}`],
    ...stages.map((stage, at) => [
      stages.length > 1 ? String(stage) : "",
      ...pieces.filter((one) => one.stage === stage).map(({ pawns }) => pawns?.toFixed(2) ?? "-"),
      format(pawn[at]!.weight),
    ]),
  ])}`;
}

/** The groups of features by their effect, the largest first. */
function groupSection({ groups }: Inspection): string {
  if (groups.length === 0) return "";
  const format = numberFormat(groups.map(({ effect }) => effect));
  const rows = groups
    .toSorted((one, other) => other.effect - one.effect)
    .map(({ name, features, effect }) => [format(effect), name, `${whole(features)} features`]);
  const wide = Math.max(...rows.map(([, name]) => name!.length));
  return `Groups by the mean size of their part of the sum, in ${whole(GROUP_POSITIONS)} positions of random games\n${listing(
    rows.map(([effect, name, count]) => [effect!, `${name!.padEnd(wide)}  ${count!}`]),
  )}`;
}

/** The patterns as boards, side by side; cells that the tuple does not read are left out. */
function patternSection(title: string, patterns: readonly Pattern[], width: number): string {
  const drawn = patterns.filter(({ rows }) => rows.length > 0);
  if (drawn.length === 0) return "";
  const names = [...new Set(drawn.flatMap(({ rows }) => rows.flat().filter((name) => name !== undefined)))];
  const short = shortNames(names);
  const format = numberFormat([-1, 1].map((sign) => sign * Math.abs(drawn[0]!.weight)));
  const hasStages = drawn.some(({ stage }) => stage > 1);
  const legend = names
    .filter((name) => short.get(name) !== name)
    .map((name) => `${short.get(name)}: ${name}`);
  const blocks = drawn.map(({ weight, stage, tuple, share, context, rows }): Drawing => {
    const cells = rows.map((row) => row.map((name) => (name === undefined ? "" : short.get(name)!)));
    const cell = Math.max(...cells.flat().map((text) => stringWidth(text)));
    const lines = [
      `${format(weight)} in ${percent(share, 1)}`,
      `tuple ${tuple}${hasStages ? `, stage ${stage}` : ""}`,
      ...(context === undefined ? [] : [context]),
      ...cells.map((row) => `|${row.map((text) => padStart(text, cell)).join(" ")}|`),
    ];
    const wide = Math.max(...lines.map((line) => stringWidth(line)));
    return { lines: lines.map((line) => padEnd(line, wide)), width: wide };
  });
  const notes = `weight, and the share of positions of random games with it${legend.length === 0 ? "" : `; ${legend.join(", ")}`}`;
  return `${title}: ${notes}\n\n${sideBySide(blocks, width)}`;
}

/** By name: the shortest beginning that no other name has. */
function shortNames(names: readonly string[]): Map<string, string> {
  const lengthOf = (name: string) => {
    let length = 1;
    while (
      length < name.length &&
      names.some((other) => other !== name && other.startsWith(name.slice(0, length)))
    )
      length++;
    return length;
  };
  return new Map(names.map((name) => [name, name.slice(0, lengthOf(name))]));
}

function stageSection({ stages }: Inspection): string {
  if (stages.length === 0 || (stages.length === 1 && stages[0]!.unit === undefined)) return "";
  const format = numberFormat(stages.map(({ rootMeanSquare }) => rootMeanSquare));
  return columns([
    ["Stage", stages[0]!.unit ?? "", "weights", "not zero", "root mean square"],
    ...stages.map(({ stage, from, to, weights, nonZero, rootMeanSquare }) => [
      String(stage),
      from === undefined ? "" : `${from} to ${to}`,
      whole(weights),
      percent(nonZero, weights),
      format(rootMeanSquare),
    ]),
  ]);
}

function weightSection(
  title: string,
  list: Inspection["positive"],
  { evaluator, stages }: Inspection,
): string {
  if (list.length === 0) return `${title}: none`;
  const format = numberFormat([-1, 1].map((sign) => sign * Math.abs(list[0]!.weight)));
  const hasStages = "stages" in evaluator && evaluator.stages.length > 0 && stages.length > 1;
  const lines = list.map(({ weight, name, stage }) => [
    format(weight),
    hasStages ? `stage ${stage}: ${name}` : name,
  ]);
  return `${title}\n${listing(lines)}`;
}

function networkSections({ layers, inputs, unreadInputs, deadUnits, positions }: NetworkSurvey): string {
  const format = numberFormat(inputs.map(({ totalWeight }) => totalWeight));
  const heaviest = inputs.map(({ name, totalWeight }) => [format(totalWeight), name]);
  const dead = deadUnits.map((units, at) => {
    const named = units.length === 0 ? "" : `: ${units.join(", ")}`;
    return `  hidden layer ${at + 1}: ${units.length} of ${layers[at]!.units}${named}`;
  });
  return [
    inputs.length === 0
      ? "Inputs: none"
      : `Inputs with the largest total weight into the first layer\n${listing(heaviest)}`,
    `Inputs that nothing reads: ${unreadInputs} of ${layers[0]!.inputs}`,
    ...(dead.length === 0
      ? []
      : [
          `Dead units, whose output was the same in ${whole(positions)} positions of random games\n${dead.join("\n")}`,
        ]),
  ].join("\n\n");
}

/** Writes one line for each pair of a number and a name; the numbers are aligned right. */
function listing(lines: readonly (readonly string[])[]): string {
  const width = Math.max(...lines.map(([number]) => number!.length));
  return lines.map(([number, name]) => `  ${number!.padStart(width)}  ${name}`).join("\n");
}

/** Writes the rows as lines; all columns are aligned right. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column]!))));
  return rows.map((row) => row.map((text, at) => padStart(text, widths[at]!)).join("  ")).join("\n");
}

function whole(count: number): string {
  return count.toLocaleString("en-US");
}

function percent(part: number, count: number): string {
  return `${((100 * part) / count).toFixed(1)}%`;
}

function sizeText(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return bytes >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${bytes} bytes`;
}
