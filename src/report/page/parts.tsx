import type { ComponentChildren, JSX } from "preact";
import { COLOURS } from "./charts.tsx";

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

/** The names of a chart's colours. */
export function Legend({ of }: { of: readonly { name: string; colour?: string }[] }): JSX.Element {
  return (
    <ul class="legend">
      {of.map(({ name, colour }, at) => (
        <li key={at}>
          <span class="swatch" style={`background:${colour ?? COLOURS[at % COLOURS.length]}`} /> {name}
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
}

/** A column of figures. */
export function figures<Row>(title: string, cell: Column<Row>["cell"]): Column<Row> {
  return { title, cell, class: "number" };
}

/** Rows of figures under titles. */
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
  return (
    <Wide label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} class={column.class?.startsWith("number") ? "number" : undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
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

/** `+12`, `-340`, `0`. */
export function signed(value: number): string {
  const whole = Math.round(value);
  return whole > 0 ? `+${whole}` : String(whole + 0);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** An interval of Elo; `?` for an end that is not known. */
export function interval({ low, high }: { low: number | null; high: number | null }): string {
  const end = (elo: number | null) => (elo === null ? "?" : signed(elo));
  return `${end(low)} to ${end(high)}`;
}

/** The background of a cell: from orange at -1 over none at 0 to blue at 1. The figure in the cell says the same. */
export function heat(share: number): string {
  const colour = share >= 0 ? "0, 114, 178" : "213, 94, 0";
  return `background: rgba(${colour}, ${(0.75 * Math.abs(share)).toFixed(3)})`;
}
