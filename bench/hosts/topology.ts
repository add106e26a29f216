import { execFile, execFileSync, type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const ip = async (...words: string[]): Promise<string> => (await run("ip", words)).stdout;

/** Every network namespace of the bench is called so: what an earlier run has left is found by it. */
const PREFIX = "fs-";
/** The namespace with the bridge, on which no program runs. */
const WIRE = `${PREFIX}wire`;
const NET = "10.77.0";
/** Belongs to no host: frames for it are lost on the wire without a word. */
const NOWHERE = "02:00:00:00:00:01";

/** Why the bench cannot run on this machine; undefined where it can. */
export function lackOfNamespaces(): string | undefined {
  if (process.platform !== "linux") return "Network namespaces are a thing of Linux.";
  if (process.getuid?.() !== 0) return "Network namespaces are made by root: run it as root.";
  try {
    execFileSync("ip", ["netns", "list"]);
    return undefined;
  } catch (error) {
    return `The program ip (iproute2) cannot make network namespaces: ${(error as Error).message}`;
  }
}

/**
 * Hosts of one machine: network namespaces on one bridge, which reaches no interface of the machine itself. Cut
 * connections are silent, as pulled cables are: packets are lost, and no side is told.
 */
export class Hosts {
  readonly #names: readonly string[];

  /** @param names of the hosts that {@link openHosts} has made, in the same order */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  addressOf(name: string): string {
    const at = this.#names.indexOf(name);
    if (at < 0) throw new RangeError(`there is no host ${name}`);
    return `${NET}.${at + 1}`;
  }

  /** Starts a program on a host. */
  spawn(name: string, command: readonly string[], options: SpawnOptions): ChildProcess {
    return spawn("ip", ["netns", "exec", PREFIX + name, ...command], options);
  }

  /** Runs a program on a host to its end. @returns what it has printed */
  async run(name: string, command: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    return (await run("ip", ["netns", "exec", PREFIX + name, ...command], { env })).stdout;
  }

  /** The host is cut off from all others. */
  cut(name: string): Promise<unknown> {
    return ip("-n", WIRE, "link", "set", portOf(this.#names.indexOf(name)), "down");
  }

  mend(name: string): Promise<unknown> {
    return ip("-n", WIRE, "link", "set", portOf(this.#names.indexOf(name)), "up");
  }

  /** Two hosts do not reach each other, and all others do. */
  async cutConnection(one: string, other: string): Promise<void> {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      await ip(
        ...["-n", PREFIX + from, "neigh", "replace", this.addressOf(to)],
        ...["lladdr", NOWHERE, "dev", "eth0", "nud", "permanent"],
      );
  }

  async mendConnection(one: string, other: string): Promise<void> {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      await ip("-n", PREFIX + from, "neigh", "del", this.addressOf(to), "dev", "eth0");
  }

  /** Processes of a host. */
  async pids(name: string): Promise<number[]> {
    return pidsIn(PREFIX + name);
  }

  /** As when the plug is pulled: the host's network is cut before its programs end, so that none of them says good-bye. */
  async lose(name: string): Promise<void> {
    await this.cut(name);
    killAll(await this.pids(name));
  }
}

/** Makes the hosts, after what an earlier run has left was removed. */
export async function openHosts(names: readonly string[]): Promise<Hosts> {
  await removeHosts();
  await ip("netns", "add", WIRE);
  await ip("-n", WIRE, "link", "add", "wire", "type", "bridge");
  await ip("-n", WIRE, "link", "set", "wire", "up");
  const hosts = new Hosts(names);
  for (const [at, name] of names.entries()) {
    const host = PREFIX + name;
    await ip("netns", "add", host);
    await ip(...["link", "add", "eth0", "netns", host, "type", "veth"], ...["peer", "name", portOf(at), "netns", WIRE]);
    await ip("-n", WIRE, "link", "set", portOf(at), "master", "wire", "up");
    await ip("-n", host, "addr", "add", `${hosts.addressOf(name)}/24`, "dev", "eth0");
    await ip("-n", host, "link", "set", "lo", "up");
    await ip("-n", host, "link", "set", "eth0", "up");
  }
  return hosts;
}

/** Ends every process on hosts of the bench and removes the hosts. */
export async function removeHosts(): Promise<void> {
  const listed = (await ip("netns", "list")).split("\n").map((line) => line.split(" ")[0]!);
  const ours = listed.filter((name) => name.startsWith(PREFIX));
  for (const name of ours) killAll(await pidsIn(name));
  for (const name of ours) await ip("netns", "del", name);
}

const portOf = (at: number) => `port${at + 1}`;

async function pidsIn(namespace: string): Promise<number[]> {
  return (await ip("netns", "pids", namespace)).split("\n").filter(Boolean).map(Number);
}

/** Some may have ended by then. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      if (pid !== process.pid) process.kill(pid, "SIGKILL");
    } catch {
      // it ended with the one before
    }
}
