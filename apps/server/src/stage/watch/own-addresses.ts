import { networkInterfaces } from "node:os";

/** Whether a packet to this address stays on this machine. */
export function isOwnAddress(address: string): boolean {
  if (address.startsWith("127.") || address === "::1") return true;
  return Object.values(networkInterfaces()).some((cards) => cards?.some((card) => card.address === address));
}

/** Returns the addresses that a search for nodes polls: this machine and the broadcast addresses of its networks. */
export function searchAddresses(): string[] {
  const cards = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const networks = cards.filter(({ family, internal }) => family === "IPv4" && !internal).map(broadcastOf);
  return [...new Set(["127.0.0.1", ...networks])];
}

function broadcastOf({ address, netmask }: { readonly address: string; readonly netmask: string }): string {
  const mask = netmask.split(".").map(Number);
  return address
    .split(".")
    .map((part, i) => (Number(part) | (~(mask[i] ?? 255) & 255)) & 255)
    .join(".");
}
