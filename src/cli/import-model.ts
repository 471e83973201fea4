import process from "node:process";
import { InputError } from "../base/errors.ts";
import { equipGame } from "../specs/evaluators.ts";
import { importModel as convert } from "../specs/files/import-model.ts";
import { checkWritable } from "../specs/files/write-file.ts";
import { locateName, referTo } from "../specs/references.ts";
import { gameArgument } from "./shared/arguments.ts";
import { defineCommand, note } from "./shared/command.ts";

export const importModel = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("model", {
        type: "string",
        demandOption: true,
        describe: "model.json, with its weights files beside it, or a file of ONNX: model.onnx",
      })
      .option("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("features", {
        type: "string",
        describe:
          "the feature set that the model reads, or a file of your own [the one with as many features as the model has inputs]",
      })
      .option("out", {
        type: "string",
        demandOption: true,
        describe: "weights file to write, such as mine.json",
      })
      .epilogue(
        "What can be read: of TensorFlow.js a Sequential or functional model, one chain of Dense, Activation and Dropout layers, float32, " +
          "with linear, relu, sigmoid, tanh, and softmax at the end. Inputs are the features in their order; the output " +
          "is the expected return, or with softmax the probability of each outcome. A second output is a policy. Of ONNX " +
          "(PyTorch and others) networks of dense layers, convolutions and residual blocks, and others where onnxruntime-node is installed. See " +
          "docs/formats.md.",
      ),
  examples: [
    ["agon import-model model.json --game connect-four --out mine.json", "then: evaluator=mine.json"],
    ["agon import-model net.onnx --game connect-four --out net.json", "a network of PyTorch"],
    [
      "agon import-model m.json --game go --features ./mine.ts --out mine.json",
      "a model that reads features of your own",
    ],
  ],
  async handler(args) {
    const { out } = args;
    if (!out.endsWith(".json")) throw new InputError(`--out must end in .json, got ${out}`);
    const features = args.features && locateName("features", args.features, process.cwd());
    const named = await gameArgument(args.game);
    const game = features === undefined ? named : await equipGame(named, [referTo("features", features)]);
    checkWritable(out);
    const { evaluator } = convert(args.model, game, { features, out, date: new Date() });
    if (evaluator.kind !== "network" && evaluator.kind !== "onnx") return;
    const { size, features: name, head } = evaluator;
    const layers =
      evaluator.kind === "onnx"
        ? "the layers of an ONNX file"
        : `hidden layers ${evaluator.hidden.join(", ") || "none"}`;
    note(
      `Written to ${out}: ${size} features of ${name}, ${layers}, head ${head}. Play with evaluator=${out}`,
    );
  },
});
