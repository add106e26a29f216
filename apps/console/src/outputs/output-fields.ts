import { create } from "@bufbuild/protobuf";
import { OutputSchema, type FoundDevice, type FoundNode, type Output } from "@followspot/contract/lights";
import { outputStrings } from "./outputs.strings.ts";

const text = outputStrings.form;

/** Art-Net's own UDP port. */
const ARTNET_PORT = 6454;
const DEFAULT_PRIORITY = 100;

/** The form of an output. Numbers are text, as they are typed. */
export interface OutputFields {
  readonly protocol: string;
  readonly label: string;
  readonly host: string;
  readonly port: string;
  readonly multicast: boolean;
  readonly localAddress: string;
  readonly priority: string;
  readonly device: string;
  readonly universe: string;
  readonly portAddress: string;
  readonly offsetMs: string;
  readonly rateHz: string;
  readonly enabled: boolean;
}

export const isUsb = (protocol: string): boolean => protocol === "enttec_pro" || protocol === "open_dmx";

/** @param universe for a new output */
export function fieldsOf(output: Output | undefined, universe = 1): OutputFields {
  const given = output ?? create(OutputSchema, { protocol: "artnet", universe, enabled: true });
  const orEmpty = (n: number) => (n === 0 ? "" : String(n));
  return {
    protocol: given.protocol,
    label: given.label,
    host: given.host,
    port: orEmpty(given.port),
    multicast: given.multicast,
    localAddress: given.localAddress,
    priority: String(given.priority ?? DEFAULT_PRIORITY),
    device: given.device,
    universe: String(given.universe),
    portAddress: String(given.portAddress),
    offsetMs: String(given.offsetMs),
    rateHz: orEmpty(given.rateHz),
    enabled: given.enabled,
  };
}

/** What is sent; the server leaves out what the protocol has no use for. */
export function toOutput(fields: OutputFields, existing: Output | undefined): Output {
  const device = fields.device.trim();
  // Another port is another adapter: the serial number goes with the one it was read from.
  const deviceSerial = existing?.device === device ? existing.deviceSerial : "";
  return create(OutputSchema, {
    id: existing?.id ?? "",
    protocol: fields.protocol,
    label: fields.label.trim(),
    host: fields.host.trim(),
    port: Number(fields.port),
    multicast: fields.multicast,
    localAddress: fields.localAddress.trim(),
    device,
    deviceSerial,
    universe: Number(fields.universe),
    portAddress: isUsb(fields.protocol) ? 0 : Number(fields.portAddress),
    offsetMs: Number(fields.offsetMs),
    rateHz: Number(fields.rateHz),
    enabled: fields.enabled,
    ...(fields.protocol === "sacn" && { priority: Number(fields.priority || DEFAULT_PRIORITY) }),
  });
}

/** Says what is wrong with a number; nothing for one that may stay empty. */
export function wholeNumber(least: number, most: number, mayBeEmpty = false) {
  return (value: string): string | undefined => {
    const typed = value.trim();
    if (typed === "" && mayBeEmpty) return undefined;
    const number = Number(typed);
    if (typed !== "" && Number.isInteger(number) && number >= least && number <= most) return undefined;
    return text.whole(least, most);
  };
}

/** The first universe of the patch that no output shows yet; when all are shown, the next one. */
export function nextUniverse(outputs: readonly Output[], patched: readonly number[]): number {
  const shown = new Set(outputs.map(({ universe }) => universe));
  const waiting = patched.filter((universe) => !shown.has(universe));
  if (waiting.length > 0) return Math.min(...waiting);
  let universe = 1;
  while (shown.has(universe)) universe += 1;
  return universe;
}

/** A port of a found node, or a found adapter: an output in waiting. */
export interface Found {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  /** As it would be stored; without it, an output goes there already. */
  readonly output: Output | undefined;
}

export function foundPorts(nodes: readonly FoundNode[], outputs: readonly Output[], universe: number): Found[] {
  return nodes.flatMap(({ host, port, name, portAddresses }) =>
    portAddresses.map((portAddress) => {
      const isUsed = outputs.some(
        (output) =>
          output.protocol === "artnet" &&
          output.host === host &&
          (output.port || ARTNET_PORT) === (port || ARTNET_PORT) &&
          output.portAddress === portAddress,
      );
      return {
        key: `${host}:${port}/${portAddress}`,
        name,
        detail: `${host} · ${outputStrings.nodePort(portAddress)}`,
        output: isUsed
          ? undefined
          : create(OutputSchema, {
              protocol: "artnet",
              label: name,
              host,
              port: port === ARTNET_PORT ? 0 : port,
              portAddress,
              universe,
              enabled: true,
            }),
      };
    }),
  );
}

export function foundAdapters(devices: readonly FoundDevice[], outputs: readonly Output[], universe: number): Found[] {
  const isDoubled = (serial: string) => devices.filter((device) => device.serial === serial).length > 1;
  return devices.map(({ path, name, serial, protocol }) => {
    const isUsed = outputs.some(
      (output) =>
        isUsb(output.protocol) &&
        (output.device === path || (serial !== "" && output.deviceSerial === serial && !isDoubled(serial))),
    );
    return {
      key: path,
      name,
      detail: [path, serial].filter((word) => word !== "").join(" · "),
      output: isUsed
        ? undefined
        : create(OutputSchema, {
            protocol,
            label: name,
            device: path,
            deviceSerial: serial,
            universe,
            enabled: true,
          }),
    };
  });
}

/** The other end of an output, in words. */
export function wayOf(output: Output): string {
  if (isUsb(output.protocol)) return output.device;
  const { protocol, portAddress } = output;
  const host = output.multicast ? outputStrings.multicast : output.host;
  const address =
    protocol === "artnet" ? outputStrings.portAddress(portAddress) : outputStrings.wireUniverse(portAddress);
  return `${host}${output.port === 0 ? "" : `:${output.port}`}, ${address}`;
}
