import { spawn } from "node:child_process";
import process from "node:process";

/** Runs the built command line `main` to its end and returns its peak memory in MB. */
export async function peakMemoryMb(main: string, args: readonly string[]): Promise<number> {
  return (await usageOf(main, args)).peakMb;
}

/**
 * Runs the built command line `main` to its end and returns its peak memory, its processor time without its workers, and the time
 * from its start to its end.
 * On Linux the process reads its memory from /proc, since `resourceUsage` begins with the memory of the process that
 * started it.
 */
export async function usageOf(
  main: string,
  args: readonly string[],
): Promise<{ peakMb: number; cpuSeconds: number; seconds: number }> {
  const script = `
    import { existsSync, readFileSync } from "node:fs";
    process.on("exit", () => {
      const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
      const kb = /VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
      const { user, system } = process.cpuUsage();
      process.stderr.write("peak " + kb / 1024 + " MB, " + (user + system) / 1e6 + " s");
    });
    process.argv.splice(1, 0, "agon");
    await import(${JSON.stringify(main)});`;
  const begun = performance.now();
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, ...args]);
  child.stdout.resume();
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
  await new Promise((resolve) => child.on("close", resolve));
  const seconds = (performance.now() - begun) / 1000;
  const [, peakMb = Infinity, cpuSeconds = Infinity] = /peak ([\d.]+) MB, ([\d.]+) s/.exec(told) ?? [];
  return { peakMb: Number(peakMb), cpuSeconds: Number(cpuSeconds), seconds };
}
