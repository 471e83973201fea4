import { render } from "preact";
import { App } from "./app.tsx";
import type { PageData } from "./data.ts";
import { startWorker } from "./play/worker.ts";

/** The gzipped JSON that the page carries. */
async function readData(): Promise<PageData> {
  const text = document.querySelector("#data")!.textContent;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as PageData;
}

async function startPage(): Promise<void> {
  const root = document.querySelector("#page")!;
  const data = await readData();
  root.textContent = "";
  render(<App data={data} />, root);
}

// The same script is the page and the worker in which agents play.
if (typeof document === "undefined") startWorker();
else void startPage();
