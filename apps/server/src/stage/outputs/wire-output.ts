import { isUsb, multicastGroup, portOf, type Output } from "@followspot/contract";
import { ArtDmxPacket, artSyncPacket } from "../packets/artnet-packet.ts";
import { EnttecProFrame, OpenDmxFrame } from "../packets/dmx-frames.ts";
import { TICK_HZ } from "./frame-ring.ts";
import { DEFAULT_PRIORITY, SacnDataPacket, SacnSyncPacket, type SacnSource } from "../packets/sacn-packet.ts";
import { UdpPath } from "./udp-path.ts";
import { UsbPath } from "./usb-path.ts";

/** Unchanged data is repeated this often (Art-Net and E1.31 ask for 800..1000 ms). */
export const KEEP_ALIVE_MS = 800;
/** A look that stands still after a change is sent so many times more: one lost packet leaves no lamp wrong. */
const REPEATS = { artnet: 2, sacn: 3 } as const; // sACN's as E1.31 §6.6.1 has it
const TERMINATED_PACKETS = 3;
/** A bare adapter needs break, start code and 512 slots made for it, one after the other. */
const OPEN_DMX_HZ = 30;

/** A way to one node or adapter that opens itself again after every failure. */
interface Path {
  readonly isOpen: boolean;
  /** Lost while the path is down. */
  send(bytes: Buffer, nowMs: number): void;
  /** What was sent last still leaves. */
  close(): void | Promise<void>;
}

/** A packet whose slots are written in place. */
interface Packet {
  readonly slots: Uint8Array;
  next(): Buffer;
}

export interface PathListeners {
  /** An error that may have cost a packet. */
  readonly onError: () => void;
  /** The path has failed, with a sentence why, or works again. */
  readonly onChange: (failure: string | undefined) => void;
}

/** One universe on its way to one node. A node that is off costs errors, counted and told, and nothing else. */
export class WireOutput {
  #output: Output;
  readonly #packet: Packet;
  readonly #path: Path;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  /** The rate of the output allows the next frame then. */
  #nextMs = Number.NEGATIVE_INFINITY;
  #repeatsLeft = 0;

  constructor(output: Output, source: SacnSource, listeners: PathListeners) {
    this.#output = output;
    this.#packet = packetOf(output, source);
    this.#path = pathOf(output, listeners);
    this.configure(output);
  }

  get output(): Output {
    return this.#output;
  }

  get isOpen(): boolean {
    return this.#path.isOpen;
  }

  /** Another rate, priority or name of an output that goes where it went. */
  configure(output: Output): void {
    this.#output = output;
    if (this.#packet instanceof SacnDataPacket) this.#packet.setPriority(output.priority ?? DEFAULT_PRIORITY);
  }

  /** sACN only: 0, or the universe whose sync packet says when to show this one. */
  setSyncUniverse(universe: number): void {
    if (this.#packet instanceof SacnDataPacket) this.#packet.setSyncUniverse(universe);
  }

  /** Send if the slots changed, are still being repeated, or the keep-alive is due. Returns whether a packet left. */
  offer(slots: Uint8Array, nowMs: number): boolean {
    if (!this.isOpen || this.#output.withheld) {
      this.#lastSentMs = Number.NEGATIVE_INFINITY; // lit at once when it is back
      return false;
    }
    const isChanged = Buffer.compare(this.#packet.slots, slots) !== 0;
    if (!isChanged && !this.#isDue(nowMs)) return false;
    if (!this.#isWithinRate(nowMs)) return false;
    const { protocol } = this.#output;
    if (isChanged) {
      this.#packet.slots.set(slots);
      this.#repeatsLeft = isUsb(protocol) ? 0 : REPEATS[protocol];
    } else if (this.#repeatsLeft > 0) this.#repeatsLeft--;
    this.#lastSentMs = nowMs;
    this.send(this.#packet.next(), nowMs);
    return true;
  }

  /** Whether an unchanged look is sent. A bare adapter's line goes silent between frames, so it gets them all. */
  #isDue(nowMs: number): boolean {
    if (this.#repeatsLeft > 0 || this.#output.protocol === "open_dmx") return true;
    return nowMs - this.#lastSentMs >= KEEP_ALIVE_MS - 5;
  }

  /** Counts the frame. In the long run never more than the rate; without one as many as there are ticks. */
  #isWithinRate(nowMs: number): boolean {
    const { protocol, rateHz = protocol === "open_dmx" ? OPEN_DMX_HZ : undefined } = this.#output;
    if (rateHz === undefined || rateHz > TICK_HZ) return true;
    if (nowMs < this.#nextMs) return false;
    const periodMs = 1000 / rateHz;
    this.#nextMs = Math.max(this.#nextMs + periodMs, nowMs);
    return true;
  }

  /**
   * Dark, and the end of the stream said three times: sACN has a flag for it, Art-Net only the dark frame.
   * Gateways that hold the last look for ever must not hold a lit one.
   */
  end(dark: Uint8Array, nowMs: number): void {
    if (this.#output.withheld) return; // another machine has the lamps
    this.#packet.slots.set(dark);
    this.send(this.#packet.next(), nowMs);
    for (let k = 0; k < TERMINATED_PACKETS && !isUsb(this.#output.protocol); k++) {
      this.send(this.#packet instanceof SacnDataPacket ? this.#packet.nextTerminated() : this.#packet.next(), nowMs);
    }
    // The next stream starts fresh.
    this.#lastSentMs = Number.NEGATIVE_INFINITY;
    this.#repeatsLeft = 0;
    if (this.#packet instanceof SacnDataPacket) this.#packet.bytes[112] = 0;
  }

  send(bytes: Buffer, nowMs: number): void {
    this.#path.send(bytes, nowMs);
  }

  close(): void | Promise<void> {
    return this.#path.close();
  }
}

function packetOf({ protocol, portAddress }: Output, source: SacnSource): Packet {
  switch (protocol) {
    case "artnet":
      return new ArtDmxPacket(portAddress);
    case "sacn":
      return new SacnDataPacket(source, portAddress);
    case "enttec_pro":
      return new EnttecProFrame();
    case "open_dmx":
      return new OpenDmxFrame();
    default:
      return protocol satisfies never;
  }
}

function pathOf(output: Output, listeners: PathListeners): Path {
  const { protocol, device = "", deviceSerial = "", localAddress, portAddress } = output;
  if (isUsb(protocol)) return new UsbPath({ protocol, device, serial: deviceSerial, ...listeners });
  const host = output.multicast ? multicastGroup(portAddress) : output.host;
  const multicast = output.multicast ? { localAddress } : undefined;
  return new UdpPath({ host, port: portOf(output), multicast, ...listeners });
}

/**
 * Outputs of one key share a socket and a packet count over a change; universe and offset are the renderer's, rate,
 * priority and name are changed on the way.
 */
export function wireKey(output: Output): string {
  const { id, protocol, portAddress, device = "", deviceSerial = "" } = output;
  return JSON.stringify([id, protocol, nodeOf(output), portAddress, device, deviceSerial]);
}

/** The receiver of several universes at once: one host, or all nodes in the multicast groups of one network card. */
function nodeOf({ protocol, host, port = 0, multicast = false, localAddress = "" }: Output): string {
  return JSON.stringify([protocol, host, port, multicast, localAddress]);
}

/** Tells nodes to show the universes of one tick together; one per protocol and host with two universes or more. */
export interface SyncGroup {
  readonly members: readonly WireOutput[];
  readonly send: (nowMs: number) => void;
}

export function syncUniverseOf(outputs: readonly Output[], output: Output): number {
  const peers = outputs.filter((other) => nodeOf(other) === nodeOf(output));
  return output.protocol === "sacn" && peers.length > 1 ? Math.min(...peers.map((o) => o.portAddress)) : 0;
}

export function syncGroups(wires: readonly WireOutput[], source: SacnSource): SyncGroup[] {
  const byNode = Map.groupBy(
    wires.filter(({ output }) => !isUsb(output.protocol)),
    ({ output }) => nodeOf(output),
  );
  return [...byNode.values()]
    .filter((members) => members.length > 1)
    .map((members) => {
      const next = syncPacketsOf(members, source);
      // Multicast sync goes to the group of the universe it names.
      const speakers = members[0]!.output.multicast ? [lowestOf(members)] : members;
      return { members, send: (nowMs) => speakers.find((wire) => wire.isOpen)?.send(next(), nowMs) };
    });
}

function syncPacketsOf(members: readonly WireOutput[], source: SacnSource): () => Buffer {
  if (members[0]!.output.protocol === "artnet") {
    const packet = artSyncPacket();
    return () => packet;
  }
  const packet = new SacnSyncPacket(source, lowestOf(members).output.portAddress);
  return () => packet.next();
}

function lowestOf(members: readonly WireOutput[]): WireOutput {
  return members.reduce((low, wire) => (wire.output.portAddress < low.output.portAddress ? wire : low));
}
