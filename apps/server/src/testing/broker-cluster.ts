import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { findNatsServer } from "../operations/supervisor/nats.ts";
import { freePort, sleep, stopChild } from "../operations/supervisor/processes.ts";

/** Cluster of three NATS servers that replicate every message. */
export interface BrokerCluster {
  /** Addresses of all three. */
  readonly url: string;
  /** Server processes by name. */
  readonly servers: ReadonlyMap<string, ChildProcess>;
  close(): Promise<void>;
}

const NAMES = ["one", "two", "three"];
const READY_MS = 20_000;

/** @param folder storage of the servers */
export async function startBrokerCluster(folder: string): Promise<BrokerCluster> {
  const binary = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});
  const ports = [];
  for (const name of NAMES) ports.push({ name, client: await freePort(), route: await freePort() });
  const routes = ports.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(", ");
  const servers = new Map<string, ChildProcess>();
  for (const { name, client, route } of ports) {
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const lines = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${client}"`,
      `jetstream { store_dir: ${JSON.stringify(join(home, "jetstream"))}, max_file_store: 1GB }`,
      `cluster { name: tests, listen: "127.0.0.1:${route}", routes: [${routes}] }`,
      `authorization { user: followspot, password: "of the tests" }`,
      "max_payload: 4MB",
    ];
    await writeFile(join(home, "server.conf"), lines.join("\n"));
    servers.set(name, spawn(binary, ["-c", join(home, "server.conf")], { stdio: "ignore" }));
  }
  for (const { client } of ports) await accepts(client);
  return {
    url: ports.map(({ client }) => `nats://followspot:of%20the%20tests@127.0.0.1:${client}`).join(","),
    servers,
    close: async () => {
      await Promise.all([...servers.values()].map((server) => stopChild(server, "SIGTERM", 5000)));
    },
  };
}

async function accepts(port: number): Promise<void> {
  for (const until = performance.now() + READY_MS; ; await sleep(30)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => (socket.destroy(), resolve(true))).once("error", () => resolve(false));
    });
    if (isOpen) return;
    if (performance.now() > until) throw new Error(`no broker answers on port ${port}`);
  }
}
