import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { formatPercent } from "../../base/text.ts";
import { COLOURS, SIGNS } from "./charts.tsx";

/*
 * Parts that several views are made of, and how they write figures.
 */

/** The head of the page; `children` stand below the title. */
export function TopBar({
  title = "",
  children,
}: {
  title?: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <header class="top">
      <h1>agon {title !== "" && <small>{title}</small>}</h1>
      {children}
    </header>
  );
}

/** A section with a title and a note above its content. */
export function Panel({
  title,
  children,
  note,
}: {
  title: string;
  children: ComponentChildren;
  note?: string;
}): JSX.Element {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {note !== undefined && <p class="faint">{note}</p>}
      {children}
    </section>
  );
}

/** Holds content that may be wider than the page: it scrolls by itself, and the keyboard reaches it. */
export function Wide({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

/** A list of sentences that a reader must know; nothing for an empty list. */
export function Notices({ of, label }: { of: readonly string[]; label: string }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <ul class="notices" aria-label={label}>
      {of.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

/** The names of a chart's colours, and of its signs if it has them. */
export function Legend({
  of,
  hasSigns = false,
}: {
  of: readonly { name: string; colour?: string }[];
  hasSigns?: boolean;
}): JSX.Element {
  return (
    <ul class="legend">
      {of.map(({ name, colour }, at) => (
        <li key={at}>
          {hasSigns ? (
            <span class="sign" style={`color:${COLOURS[at % COLOURS.length]}`} aria-hidden="true">
              {SIGNS[at % SIGNS.length]!.text}
            </span>
          ) : (
            <span class="swatch" style={`background:${colour ?? COLOURS[at % COLOURS.length]}`} />
          )}{" "}
          {name}
        </li>
      ))}
    </ul>
  );
}

/** A choice among values, with a name before it. */
export function Select({
  name,
  value,
  options,
  onChange,
}: {
  name: string;
  value: string;
  options: readonly { value: string; text: string; disabled?: boolean }[];
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A column of a DataTable. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Classes of the cells; `number` aligns the title too. */
  readonly class?: string;
  /** True if the cells name their rows. */
  readonly isHead?: boolean;
  /** The value by which a touch of the title sorts the rows. */
  readonly order?: (row: Row) => number | string;
}

/** A column of figures. */
export function figures<Row>(
  title: string,
  cell: Column<Row>["cell"],
  order?: (row: Row) => number,
): Column<Row> {
  return { title, cell, class: "number", ...(order && { order }) };
}

/** The column that sorts a table. */
interface Sorting {
  readonly title: string;
  readonly isDescending: boolean;
}

/** The title of a column; a touch sorts by it, and another one turns the order round. */
export function ColumnHead({
  title,
  class: name,
  sorting,
  onSort,
}: {
  title: string;
  class?: string | undefined;
  sorting: Sorting | undefined;
  onSort?: (() => void) | undefined;
}): JSX.Element {
  const order = sorting?.isDescending === true ? "descending" : "ascending";
  return (
    <th
      scope="col"
      class={name?.startsWith("number") ? "number" : undefined}
      aria-sort={sorting?.title === title ? order : undefined}
    >
      {onSort === undefined ? (
        title
      ) : (
        <button type="button" class="sort" onClick={onSort}>
          {title}
        </button>
      )}
    </th>
  );
}

/** Rows of figures under titles. The rows come sorted by the first column. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}): JSX.Element {
  const [sorting, setSorting] = useState<Sorting>({ title: columns[0]!.title, isDescending: false });
  const order = columns.find(({ title }) => title === sorting.title)?.order;
  const isSortable = columns.some((column) => column.order !== undefined);
  const sortBy = ({ title, class: name }: Column<Row>) =>
    setSorting({
      title,
      // The largest figures are looked for first.
      isDescending: title === sorting.title ? !sorting.isDescending : name?.startsWith("number") === true,
    });
  return (
    <Wide label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead
                key={column.title}
                title={column.title}
                class={column.class}
                sorting={isSortable ? sorting : undefined}
                onSort={column.order && (() => sortBy(column))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {(order === undefined ? rows : sorted(rows, order, sorting)).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) =>
                column.isHead === true ? (
                  <th key={column.title} scope="row" class={column.class}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} class={column.class}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

/** A table of entrants against entrants, in the order of the ranking; `children` makes a cell. */
export function Matrix({
  names,
  label,
  children,
}: {
  names: readonly string[];
  label: string;
  children: (row: number, column: number) => JSX.Element;
}): JSX.Element {
  return (
    <Wide label={label}>
      <table class="matrix">
        <thead>
          <tr>
            <td />
            {names.map((name, at) => (
              <th key={name} scope="col" title={name} class="number">
                {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, row) => (
            <tr key={name}>
              <th scope="row">
                <span class="faint">{row + 1}</span> {name}
              </th>
              {names.map((_, column) => children(row, column))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

/** The rows by a value; equal ones stay in their order. */
function sorted<Row>(
  rows: readonly Row[],
  order: (row: Row) => number | string,
  { isDescending }: Sorting,
): Row[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => (order(a) < order(b) ? -sign : order(a) > order(b) ? sign : 0));
}

/** `+12`, `-340`, `0`. */
export function signed(value: number): string {
  const whole = Math.round(value);
  return whole > 0 ? `+${whole}` : String(whole + 0);
}

export function percent(share: number): string {
  return `${formatPercent(share)}%`;
}

/** An interval of Elo, with the score that it comes from. */
interface EloBounds {
  readonly low: number;
  readonly high: number;
  /** 0..1; 1 if everything was won. */
  readonly score: number;
}

/** The ends of an interval that the results bound: who won everything has no upper end, who lost everything no lower one. */
export function boundsOf({ low, high, score }: EloBounds): [low: number | null, high: number | null] {
  return [score === 0 ? null : low, score === 1 ? null : high];
}

/** `-20 to +35`; `+120 or more` where the upper end is not known. */
export function interval(entrant: EloBounds): string {
  const [low, high] = boundsOf(entrant);
  if (low === null) return `${signed(entrant.high)} or less`;
  return high === null ? `${signed(low)} or more` : `${signed(low)} to ${signed(high)}`;
}

/** The background of a cell: from orange at -1 over none at 0 to blue at 1. The figure in the cell says the same. */
export function heat(share: number): string {
  const colour = share >= 0 ? "0, 114, 178" : "213, 94, 0";
  return `background: rgba(${colour}, ${(0.75 * Math.abs(share)).toFixed(3)})`;
}
