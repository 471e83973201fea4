import { loadTensorFlow } from "./backend.ts";
import type { CheckedConfig } from "../../plan/config.ts";
import type { CreateTrainer } from "../create-learner.ts";

/** What makes the trainer that a config asks for by `engine`; undefined for our own. */
export async function loadEngine({ learner }: CheckedConfig): Promise<CreateTrainer | undefined> {
  if (learner.rule !== "lambda-returns" || learner.engine === "plain") return undefined;
  const { tf } = await loadTensorFlow();
  const { TensorFlowTrainer } = await import("./tensorflow-trainer.ts");
  return ({ network }, loss) => {
    const trainer = new TensorFlowTrainer(tf, network, { loss });
    const theirs = trainer.network.bind(trainer);
    // The weights that are saved and played with are ours, and follow TensorFlow's.
    trainer.network = () => {
      for (const [at, { kernel, bias }] of theirs().layers.entries()) {
        network.layers[at]!.kernel.set(kernel);
        network.layers[at]!.bias.set(bias);
      }
      return network;
    };
    return trainer;
  };
}
