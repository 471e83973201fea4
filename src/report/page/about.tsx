import type { ComponentChildren, JSX } from "preact";
import type { About } from "../../base/about.ts";

/** A config's date and description; nothing without them. */
export function AboutRun({ about: { date, description } }: { about: About }): JSX.Element | null {
  if (date === undefined && description === undefined) return null;
  return (
    <section class="panel about" aria-label="About">
      {date !== undefined && <p class="faint">{date}</p>}
      {description !== undefined && <Markdown text={description} />}
    </section>
  );
}

/** Paragraphs and lists of Markdown, with bold, emphasis, code and links; all else is text. */
function Markdown({ text }: { text: string }): JSX.Element {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== "");
  return (
    <>
      {blocks.map((block, at) => {
        const lines = block.trim().split("\n");
        const items = lines.map((line) => /^\s*[-*] (.*)/.exec(line)?.[1]);
        if (items.some((item) => item === undefined)) return <p key={at}>{inline(lines.join(" "))}</p>;
        return (
          <ul key={at}>
            {items.map((item, index) => (
              <li key={index}>{inline(item!)}</li>
            ))}
          </ul>
        );
      })}
    </>
  );
}

const MARKS =
  /`([^`]+)`|\*\*(?=\S)(.+?)\*\*|\*(?=\S)(.+?)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+)\)/;

function inline(text: string): ComponentChildren {
  const found = MARKS.exec(text);
  if (found === null) return text;
  const [whole, code, bold, emphasis, link, address] = found;
  return (
    <>
      {text.slice(0, found.index)}
      {code !== undefined && <code>{code}</code>}
      {bold !== undefined && <b>{inline(bold)}</b>}
      {emphasis !== undefined && <em>{inline(emphasis)}</em>}
      {link !== undefined && <a href={address}>{link}</a>}
      {inline(text.slice(found.index + whole.length))}
    </>
  );
}
