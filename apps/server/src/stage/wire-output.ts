import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import { portOf, type Output } from "@followspot/contract";
import { ArtDmxPacket, artSyncPacket } from "./artnet-packet.ts";
import { SacnDataPacket, SacnSyncPacket, type SacnSource } from "./sacn-packet.ts";

/** Unchanged data is repeated this often (Art-Net and E1.31 ask for 800..1000 ms). */
export const KEEP_ALIVE_MS = 800;
/** E1.31 §6.6.1: after a change the frame is sent three times more. */
const SACN_REPEATS = 3;

/** One universe on one connected UDP socket. A node that is off costs errors, counted, and nothing else. */
export class WireOutput {
  readonly output: Output;
  readonly #packet: ArtDmxPacket | SacnDataPacket;
  readonly #socket: Socket;
  readonly #onError: () => void;
  #isConnected = false;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  #repeatsLeft = 0;

  constructor(output: Output, source: SacnSource, syncUniverse: number, onError: () => void) {
    this.output = output;
    this.#packet =
      output.protocol === "artnet"
        ? new ArtDmxPacket(output.portAddress)
        : new SacnDataPacket(source, output.portAddress, syncUniverse);
    this.#onError = onError;
    this.#socket = createSocket(isIPv6(output.host) ? "udp6" : "udp4");
    this.#socket.on("error", () => onError());
    this.#socket.on("connect", () => (this.#isConnected = true));
    this.#socket.connect(portOf(output), output.host);
    this.#socket.unref();
  }

  /** Send if the slots changed, are still being repeated, or the keep-alive is due. Returns whether a packet left. */
  offer(slots: Uint8Array, nowMs: number): boolean {
    if (!this.#isConnected) return false;
    const isChanged = Buffer.compare(this.#packet.slots, slots) !== 0;
    const isFirst = this.#lastSentMs === Number.NEGATIVE_INFINITY;
    if (!isChanged && !isFirst && this.#repeatsLeft === 0 && nowMs - this.#lastSentMs < KEEP_ALIVE_MS - 5) return false;
    if (isChanged) {
      this.#packet.slots.set(slots);
      this.#repeatsLeft = this.output.protocol === "sacn" ? SACN_REPEATS : 0;
    } else if (this.#repeatsLeft > 0) this.#repeatsLeft--;
    this.#lastSentMs = nowMs;
    this.send(this.#packet.next());
    return true;
  }

  /** One of the three packets that end the stream: sACN says so, Art-Net has only the dark frame. */
  end(slots: Uint8Array): void {
    if (!this.#isConnected) return;
    this.#packet.slots.set(slots);
    this.send(this.#packet instanceof SacnDataPacket ? this.#packet.nextTerminated() : this.#packet.next());
  }

  /** After an end the next stream starts fresh. */
  reset(): void {
    this.#lastSentMs = Number.NEGATIVE_INFINITY;
    if (this.#packet instanceof SacnDataPacket) this.#packet.bytes[112] = 0;
  }

  send(bytes: Buffer): void {
    // The kernel copies during the call (the socket is connected, nothing is looked up), so the buffer may be reused.
    this.#socket.send(bytes, (error) => {
      if (error) this.#onError();
    });
  }

  close(): void {
    this.#socket.close();
  }
}

/** Tells nodes to show the universes of one tick together; one per protocol and host with two universes or more. */
export interface SyncGroup {
  readonly members: readonly WireOutput[];
  readonly send: () => void;
}

export function syncUniverseOf(outputs: readonly Output[], output: Output): number {
  const peers = outputs.filter((o) => o.protocol === "sacn" && o.host === output.host);
  return output.protocol === "sacn" && peers.length > 1 ? Math.min(...peers.map((o) => o.portAddress)) : 0;
}

export function syncGroups(wires: readonly WireOutput[], source: SacnSource): SyncGroup[] {
  const byTarget = Map.groupBy(wires, ({ output }) => `${output.protocol} ${output.host} ${portOf(output)}`);
  return [...byTarget.values()]
    .filter((members) => members.length > 1)
    .map((members) => {
      const first = members[0]!;
      if (first.output.protocol === "artnet") {
        const packet = artSyncPacket();
        return { members, send: () => first.send(packet) };
      }
      const packet = new SacnSyncPacket(source, Math.min(...members.map((wire) => wire.output.portAddress)));
      return { members, send: () => first.send(packet.next()) };
    });
}
