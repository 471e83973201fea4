import { defineCommand, print, show } from "./shared/command.ts";
import { examine, formatDiagnosis } from "./shared/examination.ts";

export const doctor = defineCommand({
  builder: (yargs) => yargs.option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [["agon doctor", "which TensorFlow.js backend is used, if any, and why no better one"]],
  async handler(args) {
    const diagnoses = await examine();
    if (args.json) print(JSON.stringify(diagnoses, null, 2));
    else show(diagnoses.map(formatDiagnosis).join("\n"));
  },
});
