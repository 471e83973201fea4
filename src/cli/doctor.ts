import { defineCommand, print } from "./command.ts";

export const doctor = defineCommand({
  command: "doctor",
  describe: "what there is to work with here: Node, cores, TensorFlow.js backend, SQLite, weights",
  builder: (yargs) =>
    yargs
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .example("$0 doctor", "which TensorFlow.js backend is used, and why no better one"),
  async handler(args) {
    const { examine, formatDiagnosis } = await import("./examination.ts");
    const diagnoses = await examine();
    print(args.json ? JSON.stringify(diagnoses, null, 2) : diagnoses.map(formatDiagnosis).join("\n"));
  },
});
