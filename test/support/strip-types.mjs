import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

/** A hook of Node's loader: TypeScript is loaded as JavaScript that knows its lines. */
export async function load(url, context, nextLoad) {
  if (!/\.ts($|\?)/.test(url)) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const { code, map, errors } = transformSync(path, await readFile(path, "utf8"), { sourcemap: true });
  if (errors.length > 0) throw errors[0];
  const lines = Buffer.from(JSON.stringify(map)).toString("base64");
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${lines}`;
  return { format: "module", shortCircuit: true, source };
}
