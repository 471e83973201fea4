import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { buildIn } from "../src/queue/build.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "./support/agon.ts";
import { redisTest, startRedis } from "./support/servers/redis.ts";
import { slow, slowTest } from "./support/thorough.ts";

/*
 * No container engine is needed: the files of deploy/ are read, and what they run is run here, with the paths, names and
 * ports of this machine.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const textOf = (name: string) => readFileSync(join(root, name), "utf8");

interface Service {
  readonly command: readonly string[];
  readonly volumes?: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
}
interface Compose {
  readonly services: Readonly<Record<"redis" | "coordinator" | "worker", Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const PASSWORD = "0123456789abcdef";
const CONFIG = {
  name: "deployed",
  game: "tic-tac-toe",
  blocks: 10,
  entrants: ["random", "minimax:depth=1,evaluator=open-lines"],
};

/** Text of compose.yaml with the default values of its variables. */
function filled(text: string): string {
  return text.replaceAll(/\$\{\w+(?::[-?]([^}]*))?\}/g, "$1");
}

/** Waits until a program has said something on standard error. */
async function says({ child }: ReturnType<typeof startAgon>, word: RegExp): Promise<void> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on("data", (data: Buffer) => {
      text += data.toString();
      if (word.test(text)) resolve();
    });
    child.on("close", () => reject(new Error(`it ended without ${String(word)}: ${text}`)));
  });
}

describe("compose.yaml", () => {
  const { services, volumes } = parse(textOf("deploy/compose.yaml"), { merge: true }) as Compose;

  test("names what there is", () => {
    const { context, dockerfile } = services.worker.build!;
    expect(existsSync(join(root, "deploy", context, dockerfile))).toBe(true);
    const [, config] = services.coordinator.command;
    expect(existsSync(join(root, filled(config!).replace("/tournament/", "")))).toBe(true);
    for (const service of Object.values(services))
      for (const volume of service.volumes ?? []) {
        const [name] = filled(volume).split(":");
        expect(name!.startsWith(".") ? existsSync(join(root, "deploy", name!)) : name! in volumes).toBe(true);
      }
  });

  test.each(["coordinator", "worker"] as const)(
    "its %s has a command and options of agon's",
    async (name) => {
      const [command, ...words] = services[name].command;
      const { stdout } = await agon([command!, "--help"]);
      for (const option of words.filter((word) => word.startsWith("--"))) expect(stdout).toContain(option);
    },
  );
});

describe("workers elsewhere", () => {
  interface Deployment {
    readonly kind: string;
    readonly spec: {
      readonly selector: { readonly matchLabels: object };
      readonly template: {
        readonly metadata: { readonly labels: object };
        readonly spec: {
          readonly containers: readonly [
            { readonly args: readonly string[]; readonly env: readonly { readonly name: string }[] },
          ];
          readonly volumes: readonly { readonly name: string }[];
        };
      };
    };
  }

  slow(redisTest)("kubernetes.yaml starts workers that find the queue by their environment", async () => {
    const { kind, spec } = parse(textOf("deploy/kubernetes.yaml")) as Deployment;
    expect(kind).toBe("Deployment");
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    const [{ args, env }] = spec.template.spec.containers;
    expect(env.map(({ name }) => name)).toEqual(["AGON_QUEUE", "AGON_QUEUE_PASSWORD"]);
    const { url } = await startRedis({ args: ["--requirepass", PASSWORD] });
    const worker = startAgon(args, { env: { AGON_QUEUE: url, AGON_QUEUE_PASSWORD: PASSWORD } });
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    await says(worker, /2 games at once/);
    worker.child.kill("SIGTERM");
    expect((await worker.outcome).code).toBe(0);
  });

  slow(redisTest)("slurm.sh starts a worker that stops at the signal which it asks for", async () => {
    const dir = temporaryFolder();
    const script = textOf("deploy/slurm.sh");
    expect(script).toMatch(/^#SBATCH --signal=B:TERM@\d+$/m);
    const { url } = await startRedis({ args: ["--requirepass", PASSWORD] });
    const file = writeInto(dir, "password", `${PASSWORD}\n`);
    const child = spawn("bash", [writeInto(dir, "slurm_script", script)], {
      cwd: root,
      env: { ...process.env, AGON_QUEUE: url, AGON_QUEUE_PASSWORD_FILE: file, SLURM_CPUS_PER_TASK: "3" },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await says({ child } as unknown as ReturnType<typeof startAgon>, /3 games at once/);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});

slow(redisTest)(
  "the rights that docs/many-machines.md gives are enough, and end at agon's keys",
  async () => {
    const dir = temporaryFolder();
    const { port, url } = await startRedis();
    const rights = /^ACL SETUSER .*$/m
      .exec(textOf("docs/many-machines.md"))![0]
      .replace(">PASSWORD", `>${PASSWORD}`);
    const redis = (...args: string[]) =>
      execFileSync("redis-cli", ["-p", String(port), ...args], { encoding: "utf8", stdio: "pipe" });
    expect(redis(...rights.split(" "))).toBe("OK\n");
    expect(redis("ACL", "SETUSER", "default", "off")).toBe("OK\n");
    const user = ["--user", "agon", "--pass", PASSWORD, "--no-auth-warning"];
    expect(redis(...user, "GET", "other")).toContain("NOPERM");
    expect(redis(...user, "CONFIG", "GET", "*")).toContain("NOPERM");
    const env = { AGON_QUEUE: url, AGON_QUEUE_USER: "agon", AGON_QUEUE_PASSWORD: PASSWORD };
    const worker = startAgon(["worker", "--workers", "1"], { env });
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    const config = writeInto(dir, "deployed.json", CONFIG);
    const run = startAgon(["run", config, "--queue", url, "--out", join(dir, "run"), "--quiet"], { env });
    const { code, stderr } = await run.outcome;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect((await startAgon(["worker", "--list"], { env }).outcome).stdout).toMatch(
      /^1 worker for 1 game at once/,
    );
  },
);

/** Makes a Containerfile in folders instead of images: its COPY and RUN lines are performed on this machine. */
function buildStages(text: string, context: string, parent: string): { folder: string; command: string[] } {
  const stages = new Map<string, string>();
  let [folder, workdir, entry, last] = ["", "/", [] as string[], [] as string[]];
  const here = (path: string) => join(folder, path.startsWith("/") ? path : join(workdir, path));
  for (const line of text.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line)!;
    const words = rest!.split(" ");
    if (instruction === "FROM") {
      folder = join(parent, `stage-${stages.size}`);
      stages.set(words[2] ?? "", folder);
    } else if (instruction === "WORKDIR") {
      workdir = rest!;
      mkdirSync(here("."), { recursive: true });
    } else if (instruction === "COPY") {
      const from = words[0]!.startsWith("--from=") ? stages.get(words.shift()!.slice(7))! : context;
      const to = words.pop()!;
      for (const name of words) {
        const target = to.endsWith("/") ? join(here(to), basename(name)) : here(to);
        mkdirSync(dirname(target), { recursive: true });
        cpSync(join(from, name), target, { recursive: true, verbatimSymlinks: true });
      }
    } else if (instruction === "RUN") {
      // There is no such user here.
      const script = rest!.replace("-o node -g node ", "").replaceAll(/(?<= )\/(?=runs)/g, `${folder}/`);
      execFileSync("sh", ["-ec", script], { cwd: here("."), stdio: "pipe" });
    } else if (instruction === "ENTRYPOINT") entry = JSON.parse(rest!) as string[];
    else if (instruction === "CMD") last = JSON.parse(rest!) as string[];
    else expect(["ENV", "USER"]).toContain(instruction);
  }
  const command = [...entry, ...last].map((word) => (word.startsWith("/") ? join(folder, word) : word));
  return { folder, command };
}

describe("Containerfile", () => {
  const text = textOf("deploy/Containerfile");

  test("copies what there is, and .dockerignore lets it pass", () => {
    const ignore = textOf(".dockerignore").split("\n");
    const copied = [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names]) =>
      names!.split(" "),
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const name of copied) {
      expect(existsSync(join(root, name)), name).toBe(true);
      expect(ignore).toContain(`!${name}`);
    }
    expect(ignore.filter((line) => line.startsWith("!")).length).toBe(new Set(copied).size);
  });

  slowTest("its steps make a program that plays over a queue", { timeout: 900_000 }, async () => {
    const dir = temporaryFolder();
    const clone = join(dir, "clone");
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
    for (const file of files.filter((name) => name !== "" && existsSync(join(root, name))))
      cpSync(join(root, file), join(clone, file));
    const { folder, command } = buildStages(text, clone, dir);
    const [node, main] = command;
    expect(execFileSync(node!, command.slice(1), { encoding: "utf8" })).toContain("agon worker");
    expect(existsSync(join(folder, "agon/node_modules/vitest"))).toBe(false);
    expect(existsSync(join(folder, "agon/node_modules/ioredis"))).toBe(true);
    const codeIn = (program: string) => buildIn(join(program, "dist"), "22.0.0").code;
    expect(codeIn(join(folder, "agon"))).toBe(codeIn(root));
    const { url } = await startRedis();
    const worker = spawn(node!, [main!, "worker", url, "--workers", "1"], { stdio: "ignore" });
    onTestFinished(() => void worker.kill("SIGKILL"));
    const config = writeInto(dir, "deployed.json", CONFIG);
    const run = [main!, "run", config, "--queue", url, "--out", join(folder, "runs/mine")];
    expect(execFileSync(node!, run, { encoding: "utf8", stdio: "pipe" })).toContain("tic-tac-toe: 20 games");
    const size = execFileSync("du", ["-sm", folder], { encoding: "utf8" });
    expect(Number.parseInt(size, 10)).toBeLessThan(150);
  });
});
