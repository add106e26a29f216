import { ARTNET_PORT, isUsb, SACN_PORT, type Output, type OutputsHealth, type UsbDevice } from "@followspot/contract";
import { ForeignSources, type HeardSource } from "./foreign-sources.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { placeOf } from "./node-list.ts";
import { NodeWatch } from "./node-watch.ts";
import type { OutputHealth } from "../outputs/output-link.ts";
import { searchAddresses } from "./own-addresses.ts";
import type { SacnSource } from "../packets/sacn-packet.ts";
import { SacnWatch } from "./sacn-watch.ts";
import { listUsbDevices } from "../outputs/usb-devices.ts";

/** Interval between readings of the USB adapters, ms; each reads a few small files. */
const DEVICES_EVERY_MS = 2000;

export interface WireWatchOptions {
  readonly source: SacnSource;
  readonly isSending: () => boolean;
  /** Addresses that a search for nodes polls; empty means broadcast on this machine's networks. */
  readonly searchAddresses?: readonly string[] | undefined;
  /** Ports other than those of the protocols, in tests. */
  readonly ports?: { readonly artnet: number; readonly sacn: number };
  readonly listDevices?: () => Promise<UsbDevice[]>;
}

/** Fields that the wire watch adds to the health of the outputs. */
type WatchedHealth = Pick<OutputsHealth, "outputs" | "nodes" | "devices" | "foreign_sources" | "notices"> & {
  readonly searching_until?: string;
};

/** Monitors everything about the wires except frames: nodes, adapters, and other senders to our universes. */
export class WireWatch {
  readonly #nodes: NodeWatch;
  readonly #sacn: SacnWatch;
  readonly #foreign = new ForeignSources();
  readonly #listDevices: () => Promise<UsbDevice[]>;
  #outputs: readonly Output[] = [];
  #devices: readonly UsbDevice[] = [];
  #devicesMs = Number.NEGATIVE_INFINITY;

  constructor({
    source,
    isSending,
    ports,
    listDevices = listUsbDevices,
    searchAddresses: asked = [],
  }: WireWatchOptions) {
    const { artnet = ARTNET_PORT, sacn = SACN_PORT } = ports ?? {};
    this.#listDevices = listDevices;
    this.#nodes = new NodeWatch({
      port: artnet,
      searchAddresses: () => (asked.length > 0 ? asked : searchAddresses()),
      onFrames: (heard) => this.#hear(heard, false),
    });
    this.#sacn = new SacnWatch({
      source,
      port: sacn,
      isSending,
      onSource: (heard, isLeaving) => this.#hear(heard, isLeaving),
    });
  }

  /** Sets the enabled outputs. */
  setOutputs(outputs: readonly Output[]): void {
    this.#outputs = outputs;
    this.#nodes.setOutputs(outputs);
    this.#sacn.setOutputs(outputs);
  }

  /** Searches for nodes on the network for a minute. @returns its end, RFC 3339 */
  search(): string | undefined {
    this.#nodes.search();
    return this.#nodes.searchingUntil;
  }

  /** Returns the outputs' health with the known state of the receivers. */
  async tell({ outputs }: Pick<OutputHealth, "outputs">): Promise<WatchedHealth> {
    const devices = await this.#readDevices();
    const nodes = this.#nodes.nodes();
    const byId = new Map(this.#outputs.map((output) => [output.id, output]));
    const until = this.#nodes.searchingUntil;
    return {
      outputs: outputs.map((health) => this.#withOtherEnd(health, byId.get(health.id), nodes)),
      nodes,
      devices,
      foreign_sources: this.#foreign.list(this.#outputs, monotonicMs()),
      notices: [...this.#nodes.notices(), ...doubledSerials(devices)],
      ...(until !== undefined && { searching_until: until }),
    };
  }

  close(): void {
    this.#nodes.close();
    this.#sacn.close();
  }

  /** Records sources of our universes only: a sender that announces thousands of others must not use up the limit. */
  #hear(source: HeardSource, isLeaving: boolean): void {
    const { protocol, portAddress } = source;
    if (!this.#outputs.some((output) => output.protocol === protocol && output.portAddress === portAddress)) return;
    if (isLeaving) this.#foreign.left(source);
    else this.#foreign.heard(source, monotonicMs());
  }

  #withOtherEnd(
    health: OutputHealth["outputs"][number],
    output: Output | undefined,
    nodes: OutputsHealth["nodes"],
  ): OutputsHealth["outputs"][number] {
    if (output && isUsb(output.protocol)) return { ...health, node_name: nameOfDevice(output, this.#devices) };
    const place = output?.protocol === "artnet" ? this.#nodes.placeOf(output) : undefined;
    const node = nodes.find(({ host, port }) => placeOf(host, port) === place);
    if (!node) return { ...health, node_name: "" };
    const known = { ...health, node_name: node.name, node_seen_at: node.seen_at };
    if (!node.is_gone || health.state === "down") return known;
    // No error indicates a node that is off: only its missing replies do.
    const error = `${node.name} at ${node.host} does not answer any more. Look at its power and cable; it is sent to all the same.`;
    return { ...known, state: "down", since: node.seen_at, last_error: error };
  }

  async #readDevices(): Promise<readonly UsbDevice[]> {
    const now = monotonicMs();
    if (now - this.#devicesMs < DEVICES_EVERY_MS) return this.#devices;
    this.#devicesMs = now;
    return (this.#devices = await this.#listDevices());
  }
}

function nameOfDevice({ device, deviceSerial }: Output, devices: readonly UsbDevice[]): string {
  const same = devices.filter(({ serial }) => deviceSerial !== undefined && serial === deviceSerial);
  return (devices.find(({ path }) => path === device) ?? same[0])?.name ?? "";
}

function doubledSerials(devices: readonly UsbDevice[]): string[] {
  const bySerial = Map.groupBy(
    devices.filter(({ serial }) => serial !== ""),
    ({ serial }) => serial,
  );
  return [...bySerial]
    .filter(([, same]) => same.length > 1)
    .map(([serial, same]) => {
      const paths = same.map(({ path }) => path).join(" and ");
      return `The USB adapters at ${paths} have one serial number, ${serial}: each is told apart by its path, so leave them in their sockets.`;
    });
}
