import type { JSX } from "preact";
import { formatSections } from "../../../ratings/sections/formats.ts";
import type { TournamentData } from "../data.ts";
import { SectionPanel } from "../section-table.tsx";
import { Bracket } from "./bracket.tsx";
import { SprtWalk } from "./sprt-walk.tsx";
import { Tuned } from "./tuned.tsx";

/** The results of a run as people know its format; nothing where ratings say all. */
export function FormatPanels({ run }: { run: TournamentData }): JSX.Element | null {
  const { format, sprt } = run.report;
  if (sprt !== undefined) return <SprtWalk run={run} sprt={sprt} />;
  if (format === undefined) return null;
  if (format.type === "knockout") return <Bracket run={run} results={format} />;
  if (format.type === "tune") return <Tuned run={run} results={format} />;
  return (
    <>
      {formatSections(format).map((section) => (
        <SectionPanel key={section.title} section={section} folder={run.folder} />
      ))}
    </>
  );
}
