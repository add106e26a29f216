import { portOf, type Output } from "@followspot/contract";
import { ArtDmxPacket, artSyncPacket } from "./artnet-packet.ts";
import { SacnDataPacket, SacnSyncPacket, type SacnSource } from "./sacn-packet.ts";
import { UdpPath } from "./udp-path.ts";

/** Unchanged data is repeated this often (Art-Net and E1.31 ask for 800..1000 ms). */
export const KEEP_ALIVE_MS = 800;
/** E1.31 §6.6.1: after a change the frame is sent three times more. */
const SACN_REPEATS = 3;
const TERMINATED_PACKETS = 3;

/** One universe on its way to one node. A node that is off costs errors, counted and told, and nothing else. */
export class WireOutput {
  readonly output: Output;
  readonly #packet: ArtDmxPacket | SacnDataPacket;
  readonly #path: UdpPath;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  #repeatsLeft = 0;

  constructor(
    output: Output,
    source: SacnSource,
    listeners: { readonly onError: () => void; readonly onChange: (failure: string | undefined) => void },
  ) {
    this.output = output;
    this.#packet =
      output.protocol === "artnet"
        ? new ArtDmxPacket(output.portAddress)
        : new SacnDataPacket(source, output.portAddress);
    this.#path = new UdpPath({ host: output.host, port: portOf(output), ...listeners });
  }

  get isOpen(): boolean {
    return this.#path.isOpen;
  }

  /** sACN only: 0, or the universe whose sync packet says when to show this one. */
  setSyncUniverse(universe: number): void {
    if (this.#packet instanceof SacnDataPacket) this.#packet.setSyncUniverse(universe);
  }

  /** Send if the slots changed, are still being repeated, or the keep-alive is due. Returns whether a packet left. */
  offer(slots: Uint8Array, nowMs: number): boolean {
    if (!this.isOpen) return false;
    const isChanged = Buffer.compare(this.#packet.slots, slots) !== 0;
    const isFirst = this.#lastSentMs === Number.NEGATIVE_INFINITY;
    if (!isChanged && !isFirst && this.#repeatsLeft === 0 && nowMs - this.#lastSentMs < KEEP_ALIVE_MS - 5) return false;
    if (isChanged) {
      this.#packet.slots.set(slots);
      this.#repeatsLeft = this.output.protocol === "sacn" ? SACN_REPEATS : 0;
    } else if (this.#repeatsLeft > 0) this.#repeatsLeft--;
    this.#lastSentMs = nowMs;
    this.send(this.#packet.next(), nowMs);
    return true;
  }

  /**
   * Dark, and the end of the stream said three times: sACN has a flag for it, Art-Net only the dark frame.
   * Gateways that hold the last look for ever must not hold a lit one.
   */
  end(dark: Uint8Array, nowMs: number): void {
    this.offer(dark, nowMs);
    this.#packet.slots.set(dark);
    for (let k = 0; k < TERMINATED_PACKETS; k++) {
      this.send(this.#packet instanceof SacnDataPacket ? this.#packet.nextTerminated() : this.#packet.next(), nowMs);
    }
    // The next stream starts fresh.
    this.#lastSentMs = Number.NEGATIVE_INFINITY;
    if (this.#packet instanceof SacnDataPacket) this.#packet.bytes[112] = 0;
  }

  send(bytes: Buffer, nowMs: number): void {
    this.#path.send(bytes, nowMs);
  }

  close(): void {
    this.#path.close();
  }
}

/** Outputs of one key share a socket and a packet count over a change; universe and offset are the renderer's. */
export function wireKey({ id, protocol, host, port, portAddress }: Output): string {
  return JSON.stringify([id, protocol, host, port ?? 0, portAddress]);
}

/** Tells nodes to show the universes of one tick together; one per protocol and host with two universes or more. */
export interface SyncGroup {
  readonly members: readonly WireOutput[];
  readonly send: (nowMs: number) => void;
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
      const next = syncPacketsOf(members, source);
      return { members, send: (nowMs) => members.find((wire) => wire.isOpen)?.send(next(), nowMs) };
    });
}

function syncPacketsOf(members: readonly WireOutput[], source: SacnSource): () => Buffer {
  if (members[0]!.output.protocol === "artnet") {
    const packet = artSyncPacket();
    return () => packet;
  }
  const packet = new SacnSyncPacket(source, Math.min(...members.map((wire) => wire.output.portAddress)));
  return () => packet.next();
}
