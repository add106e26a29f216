import { isIP } from "node:net";
import { newId } from "../platform/ids.ts";
import type { Output } from "@followspot/contract/lights";
import { invalid } from "../platform/errors.ts";
import type { OutputRow } from "./outputs.store.ts";

const HOSTNAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const MAX_PORT_ADDRESS = { artnet: 32_767, sacn: 63_999 } as const;
const MIN_PORT_ADDRESS = { artnet: 0, sacn: 1 } as const;

/** @throws invalid_argument for a host we never send to or an address the protocol does not have */
export function requireOutputs(outputs: readonly Output[]): readonly OutputRow[] {
  const rows = outputs.map(requireOutput);
  if (new Set(rows.map((row) => row.id)).size < rows.length) throw invalid("outputs: two outputs have the same id");
  return rows;
}

function requireOutput(output: Output, i: number): OutputRow {
  const at = `outputs[${i}]`;
  const protocol = output.protocol === "sacn" ? "sacn" : "artnet"; // the contract admits these two
  requireHost(output.host, `${at}.host`);
  if (output.portAddress < MIN_PORT_ADDRESS[protocol] || output.portAddress > MAX_PORT_ADDRESS[protocol]) {
    throw invalid(`${at}.port_address: must be ${MIN_PORT_ADDRESS[protocol]} to ${MAX_PORT_ADDRESS[protocol]}`);
  }
  return {
    id: output.id || newId(),
    protocol,
    host: output.host,
    port: output.port,
    universe: output.universe,
    port_address: output.portAddress,
    offset_ms: output.offsetMs,
    enabled: output.enabled,
  };
}

/** One machine, by address or name: neither everybody on the wire nor a group. */
function requireHost(host: string, field: string): void {
  const kind = isIP(host);
  if (kind === 4) {
    const [first = 0, , , last = 0] = host.split(".").map(Number);
    if (first === 0 || first >= 224 || last === 255)
      throw invalid(`${field}: must not be a broadcast or multicast address`);
    return;
  }
  if (kind === 6) {
    if (/^ff/i.test(host) || /^[0:]+$/.test(host) || /%|\./.test(host)) {
      throw invalid(`${field}: must be the address of one machine`);
    }
    return;
  }
  // All digits and dots that is no IPv4 address is read by some resolvers as one.
  if (!HOSTNAME.test(host) || /^[0-9.]+$/.test(host) || /^0x/i.test(host)) {
    throw invalid(`${field}: must be an IP address or a host name`);
  }
}
