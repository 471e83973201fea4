/** An element of an XML text. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The element's own text, entities put back. */
  readonly text: string;
}

const TOKEN =
  /<(?<close>\/?)(?<name>[a-z][a-z-]*)(?<attributes>(?: [a-zA-Z0-9-]+="[^"<]*")*)(?<empty>\/?)>|(?<text>[^<]+)/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** Reads XML without comments, instructions and the like; throws where it is not well formed. */
export function readXml(xml: string): Element {
  const open: { name: string; attributes: Record<string, string>; children: Element[]; text: string }[] = [
    { name: "", attributes: {}, children: [], text: "" },
  ];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < xml.length;) {
    const at = TOKEN.lastIndex;
    const { close, name, attributes, empty, text } = TOKEN.exec(xml)?.groups ?? fail(xml, at);
    if (text !== undefined) {
      open.at(-1)!.text += unescape(text);
    } else if (close === "/") {
      const element = open.pop()!;
      if (element.name !== name) fail(xml, at);
      open.at(-1)!.children.push(element);
    } else {
      const pairs = [...attributes!.matchAll(/ ([^=]+)="([^"]*)"/g)];
      const element = {
        name: name!,
        attributes: Object.fromEntries(pairs.map(([, key, value]) => [key!, unescape(value!)])),
        children: [],
        text: "",
      };
      if (empty === "/") open.at(-1)!.children.push(element);
      else open.push(element);
    }
  }
  const [root] = open;
  if (open.length !== 1 || root!.children.length !== 1 || root!.text.trim() !== "") fail(xml, xml.length);
  return root!.children[0]!;
}

/** The element and all below it, those of that name, and of that class if one is given. */
export function elements(root: Element, name: string, className?: string): Element[] {
  const fits = root.name === name && (className === undefined || root.attributes["class"] === className);
  return [...(fits ? [root] : []), ...root.children.flatMap((child) => elements(child, name, className))];
}

function unescape(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text)) fail(text, 0);
  return text.replaceAll(/&([a-z]*;?)/g, (whole, name: string) => {
    const entity = name.endsWith(";") ? ENTITIES[name.slice(0, -1)] : undefined;
    return entity ?? fail(text, text.indexOf(whole));
  });
}

function fail(text: string, at: number): never {
  throw new Error(`not well formed: ${JSON.stringify(text.slice(at, at + 60))}`);
}
