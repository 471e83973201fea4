/** A continent: its regions, by number, and the armies a turn for a player who holds all of them. */
interface Continent {
  readonly name: string;
  readonly bonus: number;
  readonly regions: readonly number[];
}

/** A map: regions by number, in the order of their continents. */
export interface ConquestMap {
  readonly names: readonly string[];
  /** The places on the picture, in its units. */
  readonly spots: readonly { readonly x: number; readonly y: number }[];
  readonly continents: readonly Continent[];
  /** By region: the regions that it borders on, ascending. */
  readonly neighbours: readonly Int32Array[];
}

/* A line is a continent: its name and bonus, then its regions, each with its place and those neighbours that come later. */

const TINY = `
north 1: ana 1,1 bor dun; bor 3,1 cil eno; cil 5,1 fal
south 1: dun 1,3 eno; eno 3,3 fal; fal 5,3`;

const SMALL = `
morning 2: alba 1,1 bruma corda; bruma 3,1 corda dorn; corda 2,2.7 fenn garo
noon 2: dorn 6,1 elva fenn; elva 8,1 fenn; fenn 7,2.7 jora
evening 2: garo 2,4.7 hale isk jora; hale 1,6.4 isk; isk 3,6.4 kell
night 2: jora 7,4.7 kell luma; kell 6,6.4 luma; luma 8,6.4`;

const LARGE = `
frost 4: alba 1,1 bruma dorn; bruma 2.8,0.8 corda elva; corda 4.6,1 fenn garo; dorn 1.2,2.7 elva sarn; elva 3,2.6 fenn; fenn 4.7,2.8 jora zanto
amber 4: garo 6.6,0.8 hale jora; hale 8.4,1 isk kell; isk 10.2,0.8 luma morra; jora 6.5,2.7 kell aven; kell 8.3,2.8 luma brask; luma 10.1,2.6
salt 3: morra 12.2,1 nevin orsa; nevin 14,0.9 pell; orsa 12.1,2.7 pell quill; pell 13.9,2.8 rusk; quill 12.2,4.5 rusk ilva; rusk 14,4.6 lode
reed 3: sarn 1,4.6 tova ulma; tova 2.8,4.5 vexa zanto; ulma 1.1,6.4 vexa wend; vexa 2.9,6.3 yarl; wend 1,8.1 yarl; yarl 2.8,8.2 gorm
stone 6: zanto 4.7,4.6 aven corm; aven 6.5,4.5 brask drin; brask 8.3,4.6 eskar ilva; corm 4.6,6.3 drin gorm; drin 6.4,6.4 eskar hask; eskar 8.2,6.3 jarn lurra; gorm 4.7,8.2 hask; hask 6.5,8.1 lurra; lurra 8.3,8.2 mirn
palm 4: ilva 10.3,4.6 jarn; jarn 10.2,6.3 korva mirn; korva 12,6.4 lode nasko; lode 13.8,6.3 oster; mirn 10.3,8.1 nasko; nasko 12.1,8.2 oster; oster 14,8.1`;

/** The maps by name. */
export const MAPS = { tiny: mapOf(TINY), small: mapOf(SMALL), large: mapOf(LARGE) } as const;

function mapOf(drawing: string): ConquestMap {
  const rows = drawing
    .trim()
    .split("\n")
    .map((line) => line.split(": "));
  const lines = rows.flatMap(([, regions]) => regions!.split("; ").map((region) => region.split(" ")));
  const names = lines.map(([name]) => name!);
  const later = lines.map(([, , ...words]) => words.map((word) => names.indexOf(word)));
  let first = 0;
  return {
    names,
    spots: lines.map(([, spot]) => {
      const [x, y] = spot!.split(",").map(Number);
      return { x: x!, y: y! };
    }),
    continents: rows.map(([head, regions]) => {
      const [name, bonus] = head!.split(" ");
      return { name: name!, bonus: Number(bonus), regions: regions!.split("; ").map(() => first++) };
    }),
    neighbours: names.map((_, region) => {
      const earlier = names.flatMap((_, other) => (later[other]!.includes(region) ? [other] : []));
      return Int32Array.from([...earlier, ...later[region]!]).sort();
    }),
  };
}
