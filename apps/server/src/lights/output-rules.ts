import { isIP } from "node:net";
import { isUsb, OUTPUT_PROTOCOLS, type OutputProtocol } from "@followspot/contract";
import type { Output } from "@followspot/contract/lights";
import { conflict, invalid } from "../platform/errors.ts";
import type { OutputFields } from "./outputs.store.ts";

/** Most outputs: twice the number with which the stage is benchmarked. */
export const MAX_OUTPUTS = 128;

const HOSTNAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const ADDRESSES = { artnet: [0, 32_767], sacn: [1, 63_999] } as const;
/** Paths of serial ports on any system, and no other paths. */
const SERIAL_PORT = /^(?:\/dev\/(?:tty|cu|pts\/|serial\/by-(?:id|path)\/|rfcomm)[\w.:+-]*|COM\d{1,3})$/;
const CONTROL = /\p{Cc}/u;
const DEFAULT_PRIORITY = 100;

/**
 * Validates an output and drops fields that its protocol does not use.
 * @param at how an error names the output, such as `outputs[2].`
 * @throws invalid_argument for a forbidden host or device, or an address outside the protocol's range
 */
export function requireOutput(output: Output, at = ""): OutputFields {
  const protocol = requireProtocol(output.protocol, `${at}protocol`);
  const fields = {
    protocol,
    label: requireText(output.label.trim(), `${at}label`),
    universe: output.universe,
    offset_ms: output.offsetMs,
    rate_hz: output.rateHz,
    enabled: output.enabled,
    host: "",
    port: 0,
    multicast: false,
    local_address: "",
    priority: DEFAULT_PRIORITY,
    device: "",
    device_serial: "",
    port_address: 0,
  };
  if (isUsb(protocol)) {
    if (!SERIAL_PORT.test(output.device)) {
      throw invalid(`${at}device: must be a serial port, such as /dev/ttyUSB0 or COM3`);
    }
    return {
      ...fields,
      device: output.device,
      device_serial: requireText(output.deviceSerial, `${at}device_serial`),
    };
  }
  const [least, most] = ADDRESSES[protocol];
  if (output.portAddress < least || output.portAddress > most) {
    throw invalid(`${at}portAddress: must be ${least} to ${most}`);
  }
  const wire = { ...fields, port: output.port, port_address: output.portAddress };
  if (protocol === "artnet") return { ...wire, host: requireHost(output.host, `${at}host`) };
  const priority = output.priority ?? DEFAULT_PRIORITY;
  if (!output.multicast) return { ...wire, priority, host: requireHost(output.host, `${at}host`) };
  if (output.localAddress !== "" && isIP(output.localAddress) !== 4) {
    throw invalid(`${at}localAddress: must be the IPv4 address of a network card of this machine, or empty`);
  }
  return { ...wire, priority, multicast: true, local_address: output.localAddress };
}

/**
 * Two outputs to one target would conflict in their sequence numbers.
 * @throws failed_precondition if one of `others` has the same target
 */
export function requireFreeTarget(output: OutputFields, others: readonly OutputFields[]): void {
  const target = targetKey(output);
  const other = others.find((known) => targetKey(known) === target);
  if (!other) return;
  const name = other.label === "" ? "Another output" : `The output ${other.label}`;
  throw conflict(
    isUsb(output.protocol)
      ? `${name} uses the adapter at ${output.device} already. Choose another adapter, or change that output.`
      : `${name} sends to this address with the same universe already. Give one of them another port address.`,
  );
}

function targetKey(output: OutputFields): string {
  if (isUsb(output.protocol)) return `usb ${output.device}`;
  const { protocol, host, port, port_address, multicast } = output;
  return `${protocol} ${multicast ? "multicast" : host.toLowerCase()} ${port} ${port_address}`;
}

function requireProtocol(protocol: string, field: string): OutputProtocol {
  const known = OUTPUT_PROTOCOLS.find((name) => name === protocol);
  if (!known) throw invalid(`${field}: must be one of ${OUTPUT_PROTOCOLS.join(", ")}`);
  return known;
}

function requireText(text: string, field: string): string {
  if (CONTROL.test(text) || !text.isWellFormed()) throw invalid(`${field}: must be one line of plain text`);
  return text;
}

/** Accepts one host, by address or name, and rejects broadcast and multicast. */
function requireHost(host: string, field: string): string {
  if (host === "") throw invalid(`${field}: say where the node is, by IP address or name`);
  const kind = isIP(host);
  if (kind === 4) {
    const [first = 0, , , last = 0] = host.split(".").map(Number);
    if (first === 0 || first >= 224 || last === 255)
      throw invalid(`${field}: must not be a broadcast or multicast address`);
    return host;
  }
  if (kind === 6) {
    if (/^ff/i.test(host) || /^[0:]+$/.test(host) || /%|\./.test(host)) {
      throw invalid(`${field}: must be the address of one machine`);
    }
    return host;
  }
  // Some resolvers interpret text of digits and dots as an IPv4 address.
  if (!HOSTNAME.test(host) || /^[0-9.]+$/.test(host) || /^0x/i.test(host)) {
    throw invalid(`${field}: must be an IP address or a host name`);
  }
  return host;
}
