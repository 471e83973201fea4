import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A TCP proxy that stands for the network between two programs. */
export interface Proxy {
  readonly port: number;
  /** Ends all connections and refuses new ones, as when a cable is pulled and the system notices. */
  cut(): void;
  /** Passes nothing on, in silence, and takes no connection to its goal: as when packets get lost. */
  drop(): void;
  /** Passes everything on again. Dropped data stay lost, and connections from before stay silent. */
  mend(): void;
  /** Delays all data by `ms` from now on. */
  delay(ms: number): void;
}

/** Starts a proxy to a port of this machine, which ends with the test. */
export async function startProxy(goal: number): Promise<Proxy> {
  let state: "open" | "cut" | "drop" = "open";
  let late = 0;
  const sockets = new Set<Socket>();
  const deaf = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const pass = (from: Socket, to: Socket) => {
    // Nothing overtakes what came before.
    let last: Promise<unknown> = Promise.resolve();
    from.on("data", (data) => {
      if (state === "drop") for (const end of [from, to]) deaf.add(end);
      if (deaf.has(from)) return;
      last = Promise.all([last, late === 0 ? undefined : sleep(late)]).then(() => to.write(data));
    });
    from.on("close", () => {
      if (!deaf.has(from)) to.destroy();
    });
  };
  const server = createServer((socket) => {
    keep(socket);
    if (state === "cut") return void socket.destroy();
    if (state === "drop") return void deaf.add(socket);
    const onward = connect(goal, "127.0.0.1");
    keep(onward);
    pass(socket, onward);
    pass(onward, socket);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    drop() {
      state = "drop";
      for (const socket of sockets) deaf.add(socket);
    },
    mend() {
      state = "open";
    },
    delay(ms) {
      late = ms;
    },
  };
}
