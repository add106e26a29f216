import { create } from "@bufbuild/protobuf";
import { OutputSchema, type FoundDevice, type FoundNode, type Output } from "@followspot/contract/lights";
import { outputStrings } from "./outputs.strings.ts";

const text = outputStrings.form;

/** Art-Net's UDP port. */
const ARTNET_PORT = 6454;
const DEFAULT_PRIORITY = 100;

/** Fields of the output form. Numbers are text, as typed. */
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

/** Returns the form fields of an output. @param universe of a new output */
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

/** Converts the form to an output; the server drops fields that the protocol does not use. */
export function toOutput(fields: OutputFields, existing: Output | undefined): Output {
  const device = fields.device.trim();
  // A different port means a different adapter, so the serial number no longer applies.
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

/** Creates a rule for whole numbers in a range; it returns an error message, or undefined if the value is valid. */
export function wholeNumber(least: number, most: number, mayBeEmpty = false) {
  return (value: string): string | undefined => {
    const typed = value.trim();
    if (typed === "" && mayBeEmpty) return undefined;
    const number = Number(typed);
    if (typed !== "" && Number.isInteger(number) && number >= least && number <= most) return undefined;
    return text.whole(least, most);
  };
}

/** Returns the first patched universe without an output; if all have one, the next number. */
export function nextUniverse(outputs: readonly Output[], patched: readonly number[]): number {
  const shown = new Set(outputs.map(({ universe }) => universe));
  const waiting = patched.filter((universe) => !shown.has(universe));
  if (waiting.length > 0) return Math.min(...waiting);
  let universe = 1;
  while (shown.has(universe)) universe += 1;
  return universe;
}

/** A port of a discovered node, or a discovered adapter, that can become an output. */
export interface Found {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  /** The output to store; undefined if an output with this destination exists. */
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

/** Formats the destination of an output. */
export function wayOf(output: Output): string {
  if (isUsb(output.protocol)) return output.device;
  const { protocol, portAddress } = output;
  const host = output.multicast ? outputStrings.multicast : output.host;
  const address =
    protocol === "artnet" ? outputStrings.portAddress(portAddress) : outputStrings.wireUniverse(portAddress);
  return `${host}${output.port === 0 ? "" : `:${output.port}`}, ${address}`;
}
