import { spawn } from "node:child_process";
import process from "node:process";

/**
 * Runs the built command line `main` to its end and returns its peak memory in MB. On Linux the process reads it from
 * /proc, since `resourceUsage` begins with the memory of the process that started it.
 */
export async function peakMemoryMb(main: string, args: readonly string[]): Promise<number> {
  const script = `
    import { existsSync, readFileSync } from "node:fs";
    process.on("exit", () => {
      const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
      const kb = /VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
      process.stderr.write("peak " + kb / 1024 + " MB");
    });
    process.argv.splice(1, 0, "agon");
    await import(${JSON.stringify(main)});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, ...args]);
  child.stdout.resume();
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
  await new Promise((resolve) => child.on("close", resolve));
  return Number(/peak ([\d.]+) MB/.exec(told)?.[1] ?? Infinity);
}
