import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { arch, endianness, release } from "node:os";
import { basename, dirname, isAbsolute, relative } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- players are processes
import process from "node:process";
import { InputError } from "../base/errors.ts";
import { findProgram, type PlayerCommand } from "./player-process.ts";

/*
 * The sandbox of a program that a stranger sent: bubblewrap with namespaces of its own, the system read-only, the program's
 * own files read-only, and one empty folder in memory. There is no network, and nobody else's file or process.
 */

type Command = readonly [string, ...string[]];

/** Whether programs can be put into a sandbox on this machine, and why not. */
export type SandboxHere = { readonly works: true } | { readonly works: false; readonly reason: string };

/** The empty folder, which is also the home of the program. It vanishes with the process. */
const HOME = "/tmp";
/** The environment in a sandbox, besides the language and the variables that a config hands on. */
const ENVIRONMENT = {
  HOME,
  TMPDIR: HOME,
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/usr/games",
};
/** The memory that the processes in a sandbox may take together, in MB. */
const MEMORY_MB = 1024;
/** The addresses that each thread of Node reserves for code since version 24. Next to nothing of it is memory, but Linux counts it. */
const NODE_RESERVES_MB = 544;
/** The threads of a program for Node, its first one included. */
const NODE_THREADS = 4;
/** The size of each folder in memory, and of the largest file. */
const FILES_BYTES = 64 * 2 ** 20;
/** Threads count as processes: Node has a dozen, a virtual machine of Java some thirty. */
const LIMITS = ["--nproc=128", "--nofile=256", `--fsize=${FILES_BYTES}`, "--core=0"];
/** Linux counts the processes of each user namespace by itself since this version. */
const OLDEST_LINUX = [5, 14] as const;
/** The rights that it takes to become somebody else. */
const RIGHTS = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];
/** A user without rights, in whose name programs run when agon runs as root, whom no limit of processes binds. */
const NOBODY = "65534";
const SYSTEM_LINKS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const SYSTEM_FILES = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"];
const isRoot = process.getuid?.() === 0;

let here: SandboxHere | undefined;

/** Tries a sandbox, once a process. */
export function sandboxHere(): SandboxHere {
  return (here ??= trySandbox());
}

function trySandbox(): SandboxHere {
  const no = (reason: string): SandboxHere => ({ works: false, reason });
  if (process.platform !== "linux") return no("there is a sandbox on Linux only");
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (major < OLDEST_LINUX[0] || (major === OLDEST_LINUX[0] && minor < OLDEST_LINUX[1]))
    return no(`it needs Linux ${OLDEST_LINUX.join(".")} or later, and this is ${release()}`);
  if (FILTER === undefined) return no(`there is no filter of system calls for ${arch()}`);
  if (findProgram("bwrap") === undefined)
    return no("there is no program bwrap; install bubblewrap, such as with: apt install bubblewrap");
  const [program, ...args] = confine(["/usr/bin/env", "true"], {
    files: [],
    memoryMb: MEMORY_MB,
    filterFd: 0,
  });
  const { status, error, stderr } = spawnSync(program, args, {
    env: ENVIRONMENT,
    input: FILTER,
    encoding: "utf8",
    timeout: 10_000,
  });
  if (status === 0) return { works: true };
  const said = error?.message ?? stderr.trim().split("\n")[0] ?? "";
  return no(`bubblewrap does not work here: ${said || `exit code ${status}`}`);
}

/**
 * The player in a sandbox. It reads the system, its interpreter and `files`, which are absolute paths of files and folders. It
 * begins in the folder of the first one. Throws InputError where this machine has no sandbox, or a file is a symbolic link.
 */
export function inSandbox(player: PlayerCommand, files: readonly string[]): PlayerCommand {
  const found = sandboxHere();
  if (!found.works) throw new InputError([{ path: "sandbox", message: found.reason }]);
  const link = files.find((path) => lstatSync(path).isSymbolicLink());
  if (link !== undefined)
    throw new InputError([
      { path: "files", message: `${link} is a symbolic link, which a sandbox does not follow` },
    ]);
  const { command, env, memoryMb = MEMORY_MB } = player;
  return {
    ...player,
    command: confine(command, { files, memoryMb, filterFd: 3 }),
    memoryMb,
    env: { ...env, ...ENVIRONMENT },
    apart: false,
    thirdInput: FILTER,
  };
}

/** The command in a sandbox; bubblewrap reads the filter of system calls from a descriptor. */
function confine(
  command: Command,
  { files, memoryMb, filterFd }: { files: readonly string[]; memoryMb: number; filterFd: number },
): Command {
  const { own, parts, reservesMb = 0 } = withInterpreter(command, files);
  const shown = [...parts, ...files].filter((path) => !isOfSystem(path));
  const filter = ["--seccomp", String(filterFd)];
  const confined = isRoot
    ? [...RIGHTS.flatMap((right) => ["--cap-add", right]), "--", ...asNobody(filter)]
    : ["--unshare-user", "--disable-userns", ...filter, "--"];
  return [
    findProgram("bwrap") ?? "bwrap",
    ..."--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try".split(" "),
    ..."--die-with-parent --new-session --hostname sandbox".split(" "),
    ...systemMounts(),
    ..."--proc /proc --dev /dev".split(" "),
    ...memoryFolder("/dev/shm"),
    ..."--remount-ro /dev".split(" "),
    ...memoryFolder(HOME),
    ...[...new Set(shown.flatMap(foldersAbove))].flatMap(publicFolder),
    ...shown.flatMap((path) => ["--ro-bind", path, path]),
    ..."--remount-ro / --chdir".split(" "),
    folderOf(files[0]),
    ...confined,
    "prlimit",
    ...LIMITS,
    `--data=${(memoryMb + reservesMb) * 2 ** 20}`,
    "--",
    ...own,
  ];
}

/** Gives up all rights, in a user namespace in which no other can be made. */
function asNobody(filter: readonly string[]): string[] {
  const drop = `setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups`;
  const rights = "--inh-caps=-all --ambient-caps=-all --bounding-set=-all --";
  const within = "bwrap --unshare-user --disable-userns --dev-bind / /";
  return [...`${drop} ${rights} ${within}`.split(" "), ...filter, "--"];
}

function systemMounts(): string[] {
  const links = SYSTEM_LINKS.filter((path) => existsSync(path)).flatMap((path) =>
    lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path],
  );
  // Java's settings are links to there.
  const java = readdirSync("/etc").filter((name) => name.startsWith("java"));
  const files = [...SYSTEM_FILES, ...java.map((name) => `/etc/${name}`)];
  const shown = files.flatMap((path) => ["--ro-bind-try", path, path]);
  return ["--ro-bind", "/usr", "/usr", ...links, ...publicFolder("/etc"), ...shown];
}

/** A folder that everybody may enter; bubblewrap itself would make it private. */
function publicFolder(path: string): string[] {
  return ["--perms", "0755", "--dir", path];
}

/** An empty folder in memory. */
function memoryFolder(path: string): string[] {
  return ["--perms", "1777", "--size", String(FILES_BYTES), "--tmpfs", path];
}

function isOfSystem(path: string): boolean {
  return ["/usr", ...SYSTEM_LINKS].some((dir) => path.startsWith(`${dir}/`));
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === "/" || above === HOME || above === path ? [] : [...foldersAbove(above), above];
}

function folderOf(path: string | undefined): string {
  if (path === undefined) return HOME;
  return statSync(path).isDirectory() ? path : dirname(path);
}

/** The command as it runs in the sandbox, the parts of its interpreter that it reads, and the addresses that this reserves. */
function withInterpreter(
  [program, ...args]: Command,
  files: readonly string[],
): { own: Command; parts: string[]; reservesMb?: number } {
  if (/^(?:python|pypy)[\d.]*$/.test(basename(program)) && !files.includes(program)) {
    const [executable = program, ...prefixes] = pythonOf(program);
    const parts = prefixes.filter((prefix) => isOutside(prefix, "/usr"));
    return { own: [executable, ...args], parts: [...new Set(parts)] };
  }
  const script = args.find((word) => !word.startsWith("-")) ?? "";
  const isOurNode = realpathSync(program) === realpathSync(process.execPath);
  const flags = isOurNode && files.some((path) => !isOutside(script, path)) ? permissionsOf(files) : [];
  const reservesMb = isOurNode || basename(program) === "node" ? NODE_RESERVES_MB * NODE_THREADS : 0;
  return { own: [program, ...flags, ...args], parts: [program], reservesMb };
}

function isOutside(path: string, dir: string): boolean {
  const way = relative(dir, path);
  return way === ".." || way.startsWith("../") || isAbsolute(way);
}

/** Python's executable and the folders of its library, by the path of its command, which may be a script or a link. */
const pythons = new Map<string, readonly string[]>();

function pythonOf(program: string): readonly string[] {
  const known = pythons.get(program);
  if (known !== undefined) return known;
  const ask = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')";
  const { status, stdout } = spawnSync(program, ["-I", "-c", ask], { encoding: "utf8", timeout: 10_000 });
  const found = status === 0 ? stdout.trimEnd().split("\n") : [program];
  pythons.set(program, found);
  return found;
}

/** Node's own permissions for a program: what the sandbox allows, and no processes. */
function permissionsOf(files: readonly string[]): string[] {
  const isStable = process.allowedNodeEnvironmentFlags.has("--permission");
  return [
    ...(isStable ? ["--permission"] : ["--experimental-permission", "--disable-warning=ExperimentalWarning"]),
    ...[...files, HOME].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${HOME}`,
    "--allow-worker",
    "--disable-warning=SecurityWarning",
  ];
}

/*
 * The filter refuses system calls that take memory which nobody can see, look into processes, or have often had holes.
 */

/** System calls by name, with their numbers on x86-64 and on ARM64. */
const REFUSED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  shmget: [29, 194],
  msgget: [68, 186],
  ptrace: [101, 117],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  perf_event_open: [298, 241],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  memfd_create: [319, 279],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  memfd_secret: [447, 447],
};
/** The name of each processor in a filter. */
const PROCESSORS: Readonly<Record<string, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const [LOAD, JUMP_IF_EQUAL, JUMP_IF_LEAST, ANSWER] = [0x20, 0x15, 0x35, 0x06];
const [NUMBER, PROCESSOR] = [0, 4];
const [ALLOW, REFUSE] = [0x7fff0000, 0x00050001];
/** Numbers from here on are system calls of another interface of x86-64. */
const X32 = 0x40000000;

/** The filter as the kernel reads it, a program of the Berkeley Packet Filter; undefined for other processors. */
const FILTER: Buffer | undefined = makeFilter();

function makeFilter(): Buffer | undefined {
  const processor = PROCESSORS[arch()];
  if (processor === undefined || endianness() !== "LE") return undefined;
  const numbers = Object.values(REFUSED).map(([x64, arm64]) => (arch() === "x64" ? x64 : arm64));
  const steps: (readonly [code: number, ifTrue: number, ifFalse: number, value: number])[] = [
    [LOAD, 0, 0, PROCESSOR],
    [JUMP_IF_EQUAL, 0, numbers.length + 3, processor],
    [LOAD, 0, 0, NUMBER],
    [JUMP_IF_LEAST, numbers.length + 1, 0, X32],
    ...numbers.map((number, at) => [JUMP_IF_EQUAL, numbers.length - at, 0, number] as const),
    [ANSWER, 0, 0, ALLOW],
    [ANSWER, 0, 0, REFUSE],
  ];
  const filter = Buffer.alloc(steps.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    filter.writeUInt16LE(code, at * 8);
    filter.writeUInt8(ifTrue, at * 8 + 2);
    filter.writeUInt8(ifFalse, at * 8 + 3);
    filter.writeUInt32LE(value, at * 8 + 4);
  }
  return filter;
}
