import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Cell, Column, Section } from "../../ratings/sections/section.ts";
import { addressOf } from "./address.ts";
import { LastLines, Panel, Wide } from "./parts.tsx";

/** A section in a panel with its title and its note; `children` stand below the table. */
export function SectionPanel({
  section,
  folder,
  children,
}: {
  section: Section;
  folder: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <Panel title={section.title} {...(section.note !== undefined && { note: section.note })}>
      <SectionTable section={section} folder={folder} />
      {children}
    </Panel>
  );
}

/** A section as a table, which any column of values sorts. The rows come sorted by the first column. */
export function SectionTable({
  section,
  folder,
  label = section.title,
}: {
  section: Section;
  /** The run whose games the cells open. */
  folder: string;
  label?: string;
}): JSX.Element {
  const [sorting, setSorting] = useState({ at: 0, isDescending: false });
  const shown = [...section.columns.entries()].filter(([, { only }]) => only !== "text");
  const sorts = (at: number) => section.rows.some((row) => row[at]!.order !== undefined);
  const sortBy = (at: number, { kind }: Column) =>
    setSorting({
      at,
      // The largest figures are looked for first.
      isDescending: at === sorting.at ? !sorting.isDescending : kind === "figure",
    });
  const hasHeat = section.rows.some((row) => row.some(({ heat: share }) => share !== undefined));
  return (
    <Wide label={label}>
      <table class={hasHeat ? "matrix" : undefined}>
        <thead>
          <tr>
            {shown.map(([at, column]) => (
              <ColumnHead
                key={at}
                title={column.head}
                tooltip={column.tooltip}
                isNumber={column.kind === "figure"}
                isDescending={sorts(at) && at === sorting.at ? sorting.isDescending : undefined}
                onSort={sorts(at) ? () => sortBy(at, column) : undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(section.rows, sorting).map(([key, row]) => (
            <tr key={key}>
              {shown.map(([at, { kind }]) =>
                kind === "name" ? (
                  <th key={at} scope="row">
                    <Content cell={row[at]!} folder={folder} />
                  </th>
                ) : (
                  <td key={at} class={classOf(row[at]!, kind)} style={heat(row[at]!.heat)}>
                    <Content cell={row[at]!} folder={folder} />
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

function classOf({ heat: share }: Cell, kind: Column["kind"]): string | undefined {
  if (share !== undefined) return "heat";
  return { figure: "number", line: "detail", name: undefined, text: undefined }[kind];
}

function Content({ cell, folder }: { cell: Cell; folder: string }): JSX.Element {
  const { text, detail, tooltip, games, lines } = cell;
  const content = (
    <>
      {text}
      {detail !== undefined && <small> {detail}</small>}
      {lines !== undefined && <LastLines of={lines} />}
    </>
  );
  if (games === undefined) return <span title={tooltip}>{content}</span>;
  return (
    <a href={addressOf(folder, "games", games)} title={tooltip}>
      {content}
    </a>
  );
}

/** The title of a column; a touch sorts by it, and another one turns the order round. */
export function ColumnHead({
  title,
  tooltip,
  isNumber,
  isDescending,
  onSort,
}: {
  title: string;
  tooltip?: string | undefined;
  isNumber: boolean;
  /** The order of the rows; undefined if another column sorts them. */
  isDescending: boolean | undefined;
  onSort: (() => void) | undefined;
}): JSX.Element {
  const order = isDescending === true ? "descending" : "ascending";
  return (
    <th
      scope="col"
      title={tooltip}
      class={isNumber ? "number" : undefined}
      aria-sort={isDescending === undefined ? undefined : order}
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

/** The rows with their numbers, sorted by a column; equal ones stay in their order. */
function sorted(
  rows: Section["rows"],
  { at, isDescending }: { at: number; isDescending: boolean },
): [number, readonly Cell[]][] {
  const sign = isDescending ? -1 : 1;
  const orderOf = ([, row]: [number, readonly Cell[]]) => row[at]!.order ?? -Infinity;
  return [...rows.entries()].toSorted((a, b) =>
    orderOf(a) < orderOf(b) ? -sign : orderOf(a) > orderOf(b) ? sign : 0,
  );
}

/** The background of a cell: from orange at -1 over none at 0 to blue at 1. The figure in the cell says the same. */
export function heat(share: number | undefined): string | undefined {
  if (share === undefined) return undefined;
  const colour = share >= 0 ? "0, 114, 178" : "213, 94, 0";
  return `background: rgba(${colour}, ${(0.75 * Math.abs(share)).toFixed(3)})`;
}
