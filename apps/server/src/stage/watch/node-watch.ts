import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { portOf, type ArtnetNode, type Output } from "@followspot/contract";
import { artPollPacket, readArtDmx, readPollReply } from "../packets/artnet-poll.ts";
import type { HeardSource } from "./foreign-sources.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { NodeList, placeOf, POLL_EVERY_MS } from "./node-list.ts";
import { isOwnAddress } from "./own-addresses.ts";
import { codeOf } from "../outputs/send-failure.ts";

/** Duration of a search, ms. */
const SEARCH_MS = 60_000;

export interface NodeWatchOptions {
  /** Port of Art-Net, on which nodes listen and answer. */
  readonly port: number;
  /** Addresses that a search polls, each with a port after a colon if it is not that of Art-Net. */
  readonly searchAddresses: () => readonly string[];
  /** Called when Art-Net frames of another sender reach this machine. */
  readonly onFrames: (source: HeardSource) => void;
}

/**
 * Polls the nodes of outputs every three seconds, and during a search the whole network. Nothing is opened or sent
 * before there is an Art-Net output or a search.
 */
export class NodeWatch {
  readonly #options: NodeWatchOptions;
  readonly #nodes = new NodeList();
  readonly #timer: NodeJS.Timeout;
  /** Resolved addresses by `host:port` of the outputs. */
  readonly #addresses = new Map<string, string>();
  #outputs: readonly Output[] = [];
  /** Socket for answers to Art-Net's own port, as the standard requires. */
  #listener: Socket | undefined;
  /** Socket for nodes that answer to the port they were polled from. */
  #asker: Socket | undefined;
  #opening: Promise<void> | undefined;
  #listenFailure = "";
  #searchUntilMs = 0;
  #isClosed = false;

  constructor(options: NodeWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#ask(), POLL_EVERY_MS).unref();
  }

  setOutputs(outputs: readonly Output[]): void {
    this.#outputs = outputs.filter(({ protocol }) => protocol === "artnet");
    const places = new Set(this.#outputs.map(hostPlace));
    for (const place of this.#addresses.keys()) if (!places.has(place)) this.#addresses.delete(place);
    void this.#ask();
  }

  /** Searches for a minute from now. */
  search(): void {
    this.#searchUntilMs = monotonicMs() + SEARCH_MS;
    void this.#ask();
  }

  /** End of the search, RFC 3339; undefined without a search. */
  get searchingUntil(): string | undefined {
    const leftMs = this.#searchUntilMs - monotonicMs();
    return leftMs > 0 ? new Date(Date.now() + leftMs).toISOString() : undefined;
  }

  nodes(): ArtnetNode[] {
    return this.#nodes.list(new Set(this.#outputs.map((output) => this.placeOf(output))), monotonicMs());
  }

  /** Returns the address that an output's node answers from. */
  readonly placeOf = (output: Output): string =>
    placeOf(this.#addresses.get(hostPlace(output)) ?? output.host, portOf(output));

  notices(): string[] {
    const failure = this.#listenFailure === "" || this.#isIdle() ? [] : [this.#listenFailure];
    return [...failure, ...this.#nodes.notices(this.#outputs, this.placeOf, monotonicMs())];
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#closeSockets();
  }

  #closeSockets(): void {
    this.#listener?.close();
    this.#asker?.close();
    this.#listener = undefined;
    this.#asker = undefined;
  }

  #isIdle(): boolean {
    return this.#outputs.length === 0 && this.searchingUntil === undefined;
  }

  /** Never rejects: {@link #lookUp} and {@link #open} report failures by the output or by `listenFailure`. */
  async #ask(): Promise<void> {
    if (this.#isClosed || this.#isIdle()) return;
    await Promise.all(this.#outputs.map((output) => this.#lookUp(output)));
    // One at a time: of two concurrent opens, one socket would never be closed.
    await (this.#opening ??= this.#open().finally(() => (this.#opening = undefined)));
    if (this.#isClosed) return;
    const packet = artPollPacket();
    for (const place of new Set(this.#outputs.map(this.placeOf))) {
      const [host = "", port] = splitPlace(place);
      // The output reports a host that cannot be resolved.
      if (isIP(host) !== 0) this.#send(packet, host, port);
    }
    if (this.searchingUntil === undefined) return;
    for (const place of this.#searchPlaces()) this.#send(packet, ...splitPlace(place));
  }

  #searchPlaces(): readonly string[] {
    const { searchAddresses, port } = this.#options;
    return searchAddresses().map((address) => (address.includes(":") ? address : placeOf(address, port)));
  }

  async #lookUp(output: Output): Promise<void> {
    try {
      const { address } = await lookup(output.host, { family: isIP(output.host) || 4 });
      this.#addresses.set(hostPlace(output), address);
    } catch {
      // The output reports it; the next poll resolves again in 3 s.
    }
  }

  #send(packet: Buffer, address: string, port: number): void {
    const socket = isOwnAddress(address) ? this.#asker : (this.#listener ?? this.#asker);
    if (address.includes(":")) return; // Art-Net supports IPv4 only
    socket?.send(packet, port, address, () => undefined); // the output reports send failures
  }

  async #open(): Promise<void> {
    const open = async (port: number) => {
      const socket = createSocket("udp4").unref();
      await new Promise<void>((resolve, reject) => {
        socket.once("error", reject);
        socket.bind(port, () => resolve());
      });
      socket.removeAllListeners("error");
      socket.on("error", () => undefined); // the next poll tries again
      socket.on("message", (bytes, from) => this.#receive(bytes, from));
      socket.setBroadcast(true);
      return socket;
    };
    const { port } = this.#options;
    // Frames for a program on this machine must reach that program, not this socket.
    const isTaken = this.#outputs.some(
      (output) => portOf(output) === port && isOwnAddress(this.#addresses.get(hostPlace(output)) ?? ""),
    );
    if (isTaken) {
      this.#listener?.close();
      this.#listener = undefined;
    }
    try {
      if (!this.#asker) this.#asker = await open(0);
      if (!this.#listener && !isTaken) this.#listener = await open(port);
      this.#listenFailure = "";
    } catch (error) {
      this.#listenFailure =
        codeOf(error) === "EADDRINUSE"
          ? `Another program on this machine uses Art-Net's port ${port}, so most nodes' answers are not heard. Frames are sent all the same.`
          : `Nodes cannot be asked whether they are there (${codeOf(error) || String(error)}). Frames are sent all the same.`;
    }
    if (this.#isClosed) this.#closeSockets();
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    const now = monotonicMs();
    const reply = readPollReply(bytes);
    if (reply) {
      const places = new Set(this.#outputs.map(this.placeOf));
      const here = placeOf(from.address, from.port);
      const isAsked = places.has(here) || (this.searchingUntil !== undefined && this.#searchPlaces().includes(here));
      const port = isAsked ? from.port : this.#options.port;
      if (isAsked || places.has(placeOf(from.address, port)) || this.searchingUntil !== undefined) {
        this.#nodes.heard(from.address, port, reply, now);
      }
      return;
    }
    const portAddress = readArtDmx(bytes);
    if (portAddress === undefined) return;
    const { address } = from;
    this.#options.onFrames({ protocol: "artnet", key: address, address, name: "", portAddress, priority: undefined });
  }
}

function hostPlace(output: Output): string {
  return placeOf(output.host, portOf(output));
}

function splitPlace(place: string): [host: string, port: number] {
  const at = place.lastIndexOf(":");
  return [place.slice(0, at), Number(place.slice(at + 1))];
}
