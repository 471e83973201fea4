/** Colours on light and on dark ground, which the colour-blind can tell apart; shapes and strokes say the same. */
const COLOURS = {
  ground: ["#ffffff", "#16181c"],
  ink: ["#1d1f23", "#e8e8e6"],
  faint: ["#5f6368", "#a3a6ab"],
  edge: ["#8b8f96", "#6d7178"],
  cut: ["#b3261e", "#ff8a80"],
  max: ["#d7e9f7", "#123a57"],
  min: ["#fde2cf", "#57300f"],
  mean: ["#ece6f6", "#3a2f52"],
  choice: ["#dff2ea", "#12402f"],
  leaf: ["#f3f3f1", "#2a2d33"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

type Colour = keyof typeof COLOURS;

const variables = (at: 0 | 1) =>
  (Object.keys(COLOURS) as Colour[]).map((name) => `--t-${name}:${COLOURS[name][at]}`).join(";");

const fill = (name: Colour) => `fill:var(--t-${name})`;
const stroke = (name: Colour) => `stroke:var(--t-${name})`;

/** The style of a picture of a search tree. Its names begin with `--t-`, so that a page can give other colours. */
export const SEARCH_TREE_STYLE = [
  `svg{${variables(0)};font-family:system-ui,-apple-system,"Segoe UI",sans-serif;font-size:13px}`,
  `@media(prefers-color-scheme:dark){svg{${variables(1)}}}`,
  `.ground{${fill("ground")}}`,
  `text{${fill("ink")};paint-order:stroke;${stroke("ground")};stroke-width:3px;stroke-linejoin:round}`,
  "text.in{stroke:none}",
  ".head{font-size:15px;font-weight:600}.value{font-weight:600}.small,.order{font-size:11px}",
  `.small,.order{${fill("faint")}}.order{font-size:9px;font-style:italic}`,
  `.node .small{${fill("ink")}}.why{${fill("cut")};font-weight:600}`,
  `.edge{fill:none;${stroke("edge")};stroke-width:1.2px}.edge.line{${stroke("ink")};stroke-width:2.6px}`,
  `.edge.cut,.strike{fill:none;${stroke("cut")};stroke-width:1.2px}.edge.cut{stroke-dasharray:5 3}.strike{stroke-width:2px}`,
  `.edge.folded{stroke-dasharray:2 3}.fold{${fill("ground")};${stroke("edge")};stroke-dasharray:2 3}`,
  `.up,.down,.circle,.box,.leaf,.estimate,.table,.probe{${stroke("ink")};stroke-width:1.2px}`,
  `polygon.line,circle.line,ellipse.line,rect.line{stroke-width:2.6px}`,
  `.up{${fill("max")}}.down{${fill("min")}}.circle{${fill("mean")}}.box{${fill("choice")}}`,
  `.leaf,.estimate,.probe,.table{${fill("leaf")}}.table{stroke-dasharray:6 3}.probe{stroke-dasharray:1 3}`,
].join("");
