import { createSocket, type Socket } from "node:dgram";
import { isIP } from "node:net";
import { multicastGroup, type Output } from "@followspot/contract";
import type { HeardSource } from "./foreign-sources.ts";
import { openMulticast } from "../outputs/multicast.ts";
import { DISCOVERY_UNIVERSE, readSacn, sacnDiscoveryPackets, type SacnSource } from "../packets/sacn-packet.ts";

/** Interval at which sources announce their universes (E1.31 §8.1), ms. */
const ANNOUNCE_EVERY_MS = 10_000;
const ANY_CARD = "";

export interface SacnWatchOptions {
  readonly source: SacnSource;
  readonly port: number;
  readonly isSending: () => boolean;
  /** Called when another sender sends, or stops sending, a universe. */
  readonly onSource: (source: HeardSource, isLeaving: boolean) => void;
  /** Shorter in tests. */
  readonly announceEveryMs?: number;
}

interface Listener {
  socket: Socket | undefined;
}

/**
 * Listens in the multicast groups of our sACN universes for other sources, and announces which universes we multicast.
 * Without a sACN output nothing is opened.
 */
export class SacnWatch {
  readonly #options: SacnWatchOptions;
  readonly #own: string;
  readonly #timer: NodeJS.Timeout;
  /** By universe and network card, separated by a space. */
  readonly #listeners = new Map<string, Listener>();
  /** By network card. */
  readonly #announcers = new Map<string, Socket>();
  #outputs: readonly Output[] = [];
  #isClosed = false;

  constructor(options: SacnWatchOptions) {
    this.#options = options;
    this.#own = Buffer.from(options.source.cid).toString("hex");
    this.#timer = setInterval(() => this.#beat(), options.announceEveryMs ?? ANNOUNCE_EVERY_MS).unref();
  }

  setOutputs(outputs: readonly Output[]): void {
    this.#outputs = outputs.filter(({ protocol }) => protocol === "sacn");
    const wanted = new Map<string, { readonly universe: number; readonly card: string }>(
      this.#outputs.flatMap((output) =>
        [output.portAddress, DISCOVERY_UNIVERSE].map((universe) => {
          const card = cardOf(output);
          return [`${universe} ${card}`, { universe, card }] as const;
        }),
      ),
    );
    for (const [key, listener] of this.#listeners) {
      if (wanted.has(key)) continue;
      listener.socket?.close();
      listener.socket = undefined;
      this.#listeners.delete(key);
    }
    for (const [key, { universe, card }] of wanted) {
      if (!this.#listeners.has(key)) this.#listen(key, universe, card);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { socket } of this.#listeners.values()) socket?.close();
    for (const socket of this.#announcers.values()) socket.close();
    this.#listeners.clear();
    this.#announcers.clear();
  }

  /** Joins a multicast group. If that fails, for example on a disabled card, the next announcement tries again. */
  #listen(key: string, universe: number, card: string): void {
    const group = multicastGroup(universe);
    const socket = createSocket({ type: "udp4", reuseAddr: true }).unref();
    const listener: Listener = { socket };
    this.#listeners.set(key, listener);
    const giveUp = () => {
      if (listener.socket !== socket || this.#isClosed) return;
      listener.socket = undefined;
      socket.close();
    };
    socket.on("error", giveUp);
    socket.on("message", (bytes, from) => this.#receive(bytes, from.address));
    // Bound to the group, so that packets for a program on this machine reach that program. Windows does not support
    // that.
    socket.bind(this.#options.port, process.platform === "win32" ? undefined : group, () => {
      if (this.#isClosed) return;
      try {
        socket.addMembership(group, card === ANY_CARD ? undefined : card);
      } catch {
        giveUp();
      }
    });
  }

  #receive(bytes: Buffer, address: string): void {
    const heard = readSacn(bytes);
    if (!heard || heard.cid === this.#own) return;
    const { cid, name, priority } = heard;
    for (const portAddress of heard.universes) {
      this.#options.onSource({ protocol: "sacn", key: cid, address, name, portAddress, priority }, heard.isTerminated);
    }
  }

  #beat(): void {
    for (const [key, { socket }] of this.#listeners) {
      const [universe, card = ANY_CARD] = key.split(" ");
      if (!socket) this.#listen(key, Number(universe), card);
    }
    const multicast = this.#options.isSending() ? this.#outputs.filter((output) => output.multicast) : [];
    const byCard = Map.groupBy(multicast, cardOf);
    for (const [card, outputs] of byCard) {
      const universes = [...new Set(outputs.map(({ portAddress }) => portAddress))].sort((a, b) => a - b);
      void this.#announce(card, sacnDiscoveryPackets(this.#options.source, universes));
    }
  }

  async #announce(card: string, packets: readonly Buffer[]): Promise<void> {
    try {
      const known = this.#announcers.get(card);
      const socket =
        known ?? (await openMulticast(multicastGroup(DISCOVERY_UNIVERSE), this.#options.port, card || undefined));
      if (!known) {
        if (this.#isClosed || this.#announcers.has(card)) {
          socket.close();
          return;
        }
        this.#announcers.set(card, socket);
        socket.on("error", () => {
          this.#announcers.delete(card);
          socket.close();
        });
      }
      for (const packet of packets) socket.send(packet, () => undefined);
    } catch {
      // No network: the outputs report it, and the next announcement tries again.
    }
  }
}

/**
 * Returns the network card on which other sources of an output's universe arrive: its own, or loopback if the output is
 * local.
 */
function cardOf({ multicast, localAddress, host }: Output): string {
  if (multicast) return localAddress ?? ANY_CARD;
  return isIP(host) === 4 && host.startsWith("127.") ? "127.0.0.1" : ANY_CARD;
}
