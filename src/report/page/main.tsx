import { render } from "preact";
import { App } from "./app.tsx";
import type { PageData } from "./data.ts";
import { LiveApp } from "./live-app.tsx";
import { startPlayThread } from "./play/play-thread.ts";

/** The data in the page, as gzipped JSON; undefined if a server sends the data. */
async function readData(): Promise<PageData | undefined> {
  const text = document.querySelector("#data")?.textContent;
  if (text === undefined) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as PageData;
}

async function startPage(): Promise<void> {
  const root = document.querySelector("#page")!;
  const data = await readData();
  root.textContent = "";
  render(data === undefined ? <LiveApp /> : <App data={data} />, root);
}

// The same script is the page and the thread in which agents play.
if (typeof document === "undefined") startPlayThread();
else void startPage();
