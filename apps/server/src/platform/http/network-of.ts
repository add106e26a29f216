import { isIPv6 } from "node:net";

/**
 * Returns what counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which belong to one
 * household or server (RFC 6177 §2: no network gets less).
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const bytes = bytesOfIPv6(address).subarray(0, 8);
  const groups = [0, 2, 4, 6].map((at) => bytes.readUInt16BE(at).toString(16));
  return `${groups.join(":")}::/64`;
}

/** Returns the 16 bytes of an IPv6 address, without its zone. */
export function bytesOfIPv6(address: string): Buffer {
  const [head = "", tail] = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const whole = [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
  return Buffer.from(whole.map((group) => group.padStart(4, "0")).join(""), "hex");
}
