import { isUsb, multicastGroup, portOf, type Output } from "@followspot/contract";
import { ArtDmxPacket, artSyncPacket } from "../packets/artnet-packet.ts";
import { EnttecProFrame, OpenDmxFrame } from "../packets/dmx-frames.ts";
import { TICK_HZ } from "./frame-ring.ts";
import { DEFAULT_PRIORITY, SacnDataPacket, SacnSyncPacket, type SacnSource } from "../packets/sacn-packet.ts";
import { UdpPath } from "./udp-path.ts";
import { UsbPath } from "./usb-path.ts";

/** Interval at which unchanged data is repeated, ms (Art-Net and E1.31 require 800..1000 ms). */
export const KEEP_ALIVE_MS = 800;
/** Repeats of an unchanged look after a change, so that one lost packet leaves no fixture wrong. */
const REPEATS = { artnet: 2, sacn: 3 } as const; // sACN as in E1.31 §6.6.1
const TERMINATED_PACKETS = 3;
/** Default frame rate of a bare adapter, which needs break, start code and 512 slots one after the other. */
const OPEN_DMX_HZ = 30;

/** A path to one node or adapter that reopens itself after every failure. */
interface Path {
  readonly isOpen: boolean;
  /** Sends a packet; it is lost while the path is down. */
  send(bytes: Buffer, nowMs: number): void;
  /** Closes the path after the last packet has been sent. */
  close(): void | Promise<void>;
}

/** A packet whose slots are written in place. */
interface Packet {
  readonly slots: Uint8Array;
  next(): Buffer;
}

export interface PathListeners {
  /** Called for each error that may have lost a packet. */
  readonly onError: () => void;
  /** Called when the path has failed, with a sentence why, or works again. */
  readonly onChange: (failure: string | undefined) => void;
}

/** Sends one universe to one node. A node that is off only causes errors, which are counted and reported. */
export class WireOutput {
  #output: Output;
  readonly #packet: Packet;
  readonly #path: Path;
  #lastSentMs = Number.NEGATIVE_INFINITY;
  /** Time from which the output's rate allows the next frame. */
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

  /** Changes the rate, priority or name of an output with an unchanged destination. */
  configure(output: Output): void {
    this.#output = output;
    if (this.#packet instanceof SacnDataPacket) this.#packet.setPriority(output.priority ?? DEFAULT_PRIORITY);
  }

  /** sACN only: 0, or the universe whose sync packet triggers the display of this one. */
  setSyncUniverse(universe: number): void {
    if (this.#packet instanceof SacnDataPacket) this.#packet.setSyncUniverse(universe);
  }

  /**
   * Sends the slots if they changed, are still being repeated, or the keep-alive is due. Returns whether a packet was
   * sent.
   */
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

  /** Whether an unchanged look is due. A bare adapter's line is idle between frames, so it gets every frame. */
  #isDue(nowMs: number): boolean {
    if (this.#repeatsLeft > 0 || this.#output.protocol === "open_dmx") return true;
    return nowMs - this.#lastSentMs >= KEEP_ALIVE_MS - 5;
  }

  /**
   * Counts the frame and returns whether the rate allows it. The long-term average never exceeds the rate; without a
   * rate every tick passes.
   */
  #isWithinRate(nowMs: number): boolean {
    const { protocol, rateHz = protocol === "open_dmx" ? OPEN_DMX_HZ : undefined } = this.#output;
    if (rateHz === undefined || rateHz > TICK_HZ) return true;
    if (nowMs < this.#nextMs) return false;
    const periodMs = 1000 / rateHz;
    this.#nextMs = Math.max(this.#nextMs + periodMs, nowMs);
    return true;
  }

  /**
   * Sends the dark look and the end of the stream three times: sACN has a flag for it, Art-Net only the dark frame.
   * Gateways that hold the last look must not hold a lit one.
   */
  end(dark: Uint8Array, nowMs: number): void {
    if (this.#output.withheld) return; // another machine owns the fixtures
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
 * Returns a key; outputs with the same key share a socket and a packet count across a change. Universe and offset
 * concern the renderer; rate, priority and name can change in place.
 */
export function wireKey(output: Output): string {
  const { id, protocol, portAddress, device = "", deviceSerial = "" } = output;
  return JSON.stringify([id, protocol, nodeOf(output), portAddress, device, deviceSerial]);
}

/** Returns the receiver of several universes: one host, or all nodes in the multicast groups of one network card. */
function nodeOf({ protocol, host, port = 0, multicast = false, localAddress = "" }: Output): string {
  return JSON.stringify([protocol, host, port, multicast, localAddress]);
}

/** Makes nodes show the universes of one tick together; one per protocol and host with two universes or more. */
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
