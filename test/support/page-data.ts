import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { PageData } from "../../src/report/page/data.ts";

/** What the written page carries. */
export function dataOf(file: string): PageData {
  const [, text] = /id="data">([^<]*)</.exec(readFileSync(file, "utf8"))!;
  return JSON.parse(gunzipSync(Buffer.from(text!, "base64")).toString()) as PageData;
}
