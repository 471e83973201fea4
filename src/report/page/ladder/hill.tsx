import type { JSX } from "preact";

/** The picture's size, the top of the hill and its height, in units of the picture. */
const [WIDTH, HEIGHT, TOP, RISE] = [360, 190, 50, 125];
/** The width of the hill: the standard deviation of its bell, times the root of 2. */
const SPREAD = 75;
const STEPS = 60;
/** The most entrants in the picture; the foot of the hill is this share of its height. */
const [MOST, FOOT] = [12, 0.08];

/** An entrant on the hill. */
interface Climber {
  readonly name: string;
  /** The figure that ranks it. */
  readonly value: number;
  readonly text: string;
}

/** The entrants of a ladder on a hill, the best on its top; the others stand as high as their figure between the last and the first. */
export function Hill({ of }: { of: readonly Climber[] }): JSX.Element {
  const shown = of.slice(0, MOST);
  const [best, last] = [shown[0]!, shown.at(-1)!];
  const text = shown.map(({ name, text: figure }, at) => `${at + 1}. ${name} ${figure}`).join(", ");
  return (
    <svg class="hill" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`On the hill: ${text}.`}>
      <path d={outline()} fill="var(--rule)" stroke="var(--faint)" />
      <path d={`M${WIDTH / 2},${TOP - 9}v-24h16v10h-16`} fill="var(--accent)" stroke="var(--accent)" />
      <text x={WIDTH / 2} y={12} text-anchor="middle" class="reigning">
        {best.name}
      </text>
      {shown.map(({ name, value, text: figure }, at) => {
        const range = best.value - last.value;
        const share = at === 0 ? 1 : FOOT + (0.9 - FOOT) * (range > 0 ? (value - last.value) / range : 0);
        const side = at % 2 === 0 ? 1 : -1;
        const x = WIDTH / 2 + side * SPREAD * Math.sqrt(-Math.log(share));
        const y = heightAt(x);
        return (
          <g key={name}>
            <title>{`${name} ${figure}`}</title>
            <circle cx={x} cy={y} r={9} fill="var(--accent)" stroke="var(--raised)" />
            <text x={x} y={y + 4} text-anchor="middle" class="place">
              {at + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function heightAt(x: number): number {
  return TOP + RISE * (1 - Math.exp(-(((x - WIDTH / 2) / SPREAD) ** 2)));
}

function outline(): string {
  const points = Array.from({ length: STEPS + 1 }, (_, at) => {
    const x = (WIDTH * at) / STEPS;
    return `${x},${heightAt(x).toFixed(1)}`;
  });
  return `M0,${HEIGHT}L${points.join("L")}L${WIDTH},${HEIGHT}Z`;
}
