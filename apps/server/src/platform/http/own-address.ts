import { networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import type { Settings } from "../settings.ts";

type Listening = Pick<Settings, "HOST" | "PORT"> & Partial<Pick<Settings, "FOLLOWSPOT_BASE_PATH" | "FOLLOWSPOT_HTTPS">>;
type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Listening on every address of the machine, loopback among them. */
const EVERYWHERE = ["0.0.0.0", "::"];
/** Interfaces of containers and virtual machines: other machines rarely reach their addresses. */
const VIRTUAL = /^(docker|br-|veth|virbr)/;
const LINK_LOCAL_V4 = "169.254.";
const LINK_LOCAL_V6 = "fe80:";

/**
 * Where the API is reached from its own machine, without TLS: one that listens at a single address is not on loopback.
 */
export const ownAddress = ({ HOST, PORT, FOLLOWSPOT_BASE_PATH = "" }: Listening): string =>
  addressOf([...EVERYWHERE, "localhost"].includes(HOST) ? "127.0.0.1" : HOST, PORT) + FOLLOWSPOT_BASE_PATH;

/**
 * Addresses that open the console, the best one to hand out first: FOLLOWSPOT_PUBLIC_URL if it is set, else the network
 * addresses of this machine if the server listens on all of them.
 */
export function consoleAddresses(
  {
    HOST,
    PORT,
    FOLLOWSPOT_BASE_PATH = "",
    FOLLOWSPOT_HTTPS,
    FOLLOWSPOT_PUBLIC_URL,
  }: Listening & Pick<Settings, "FOLLOWSPOT_PUBLIC_URL">,
  interfaces: Interfaces = networkInterfaces(),
): readonly [string, ...string[]] {
  if (FOLLOWSPOT_PUBLIC_URL !== undefined) return [FOLLOWSPOT_PUBLIC_URL + FOLLOWSPOT_BASE_PATH];
  const [first, ...others] = EVERYWHERE.includes(HOST) ? networkAddresses(interfaces, HOST === "::") : [HOST];
  const host = first === undefined || first === "127.0.0.1" ? "localhost" : first;
  const scheme = FOLLOWSPOT_HTTPS === "on" ? "https" : "http";
  const listed = [host, ...others].map((each) => addressOf(each, PORT, scheme) + FOLLOWSPOT_BASE_PATH);
  return listed as [string, ...string[]]; // starts with `host`
}

/**
 * The address for links that leave a page, or undefined if the page's own is right: links copied on the server itself,
 * at localhost, must open on other machines too.
 * @param host Host header of the request for the page
 */
export function linkAddressFor(
  settings: Listening & Pick<Settings, "FOLLOWSPOT_PUBLIC_URL">,
  host: string | undefined,
  interfaces?: Interfaces,
): string | undefined {
  const isMoved = isLoopback(host ?? "") && EVERYWHERE.includes(settings.HOST);
  if (settings.FOLLOWSPOT_PUBLIC_URL === undefined && !isMoved) return undefined;
  return consoleAddresses(settings, interfaces)[0];
}

/**
 * Whether links that leave a page open on this machine only.
 * @param host host of the page, with or without a port
 */
export const areLinksLocal = (
  settings: Listening & Pick<Settings, "FOLLOWSPOT_PUBLIC_URL">,
  host: string,
  interfaces?: Interfaces,
): boolean => {
  const address = linkAddressFor(settings, host, interfaces);
  return isLoopback(address === undefined ? host : new URL(address).host);
};

/** Whether a host, with or without a port, names this machine only. */
export const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host);

function networkAddresses(interfaces: Interfaces, withIPv6: boolean): string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ internal, family, address }) => !internal && (family === "IPv4" || isRoutableV6(address, withIPv6)))
      .map(({ address, family }) => ({ address, rank: rankOf(name, family, address) })),
  );
  return found.toSorted((a, b) => a.rank - b.rank).map(({ address }) => address);
}

const isRoutableV6 = (address: string, withIPv6: boolean) => withIPv6 && !address.startsWith(LINK_LOCAL_V6);

/** The lower, the more likely another machine reaches the address. */
const rankOf = (name: string, family: string, address: string): number =>
  (VIRTUAL.test(name) ? 4 : 0) + (address.startsWith(LINK_LOCAL_V4) ? 2 : 0) + (family === "IPv6" ? 1 : 0);

const addressOf = (host: string, port: number, scheme = "http"): string =>
  `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
