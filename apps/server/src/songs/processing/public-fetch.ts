import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import { BlockList, isIPv4, type LookupFunction } from "node:net";

/** Callback of Node's resolver, which passes no addresses with an error. */
type LookUpAnswer = (error: Error | null, addresses?: readonly LookupAddress[]) => void;

export interface PublicSite {
  /** For tests: origin on loopback that replaces a site. */
  readonly testSite: string | undefined;
  /** Name resolution; the system's if absent. */
  readonly lookUp?: (host: string, answer: LookUpAnswer) => void;
  /** Proxy URL, http:// or https://. */
  readonly proxy?: string | undefined;
}

/** Address that is not requested because it is not public; the message is a clause. */
export class NotPublicError extends Error {}

/**
 * Requests an address on the public internet: https only, and its name must not resolve into our own networks. Callers
 * follow redirects.
 * @throws NotPublicError, or the network error
 */
export async function askPublic(url: URL, site: PublicSite, signal: AbortSignal): Promise<IncomingMessage> {
  const isTest = site.testSite !== undefined && url.origin === new URL(site.testSite).origin;
  if (isTest) return send(requestHttp, url, { signal, agent: false });
  if (url.protocol !== "https:") throw new NotPublicError("its address is not https");
  if (site.proxy === undefined) return send(requestHttps, url, { signal, agent: false, lookup: publicLookup(site) });
  // The proxy resolves the name again; it is also checked here first.
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    publicLookup(site)(url.hostname, { all: true }, (error) => (error ? reject(error) : resolve()));
  });
  return send(requestHttps, url, { signal, agent: new Agent({ proxyEnv: { HTTPS_PROXY: site.proxy } }) });
}

/** Sends a request with a new agent, so that a connection made for another address is never reused. */
function send(
  request: typeof requestHttps | typeof requestHttp,
  url: URL,
  options: Parameters<typeof requestHttps>[1],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end();
  });
}

/**
 * Resolves a name and passes its addresses on only if every one is public. The socket connects to the checked address.
 */
function publicLookup({ lookUp: resolve = systemLookUp }: PublicSite): LookupFunction {
  return (host, options, answer) =>
    resolve(host, (error, addresses = []) => {
      const [first] = addresses;
      if (error || !first) return answer(error ?? new NotPublicError("its host has no address"), "", 0);
      const inside = addresses.find(({ address }) => !isPublic(address));
      if (inside) return answer(new NotPublicError(`its host leads to ${inside.address}, which is not public`), "", 0);
      if (options.all) return answer(null, [...addresses]);
      return answer(null, first.address, first.family);
    });
}

const systemLookUp: NonNullable<PublicSite["lookUp"]> = (host, answer) => lookUp(host, { all: true }, answer);

/** Networks that are private, local, for documentation or benchmarks, multicast or reserved (RFC 6890). */
const INNER_IPV4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
/** Public IPv6 addresses: global unicast, without the ranges that embed other addresses. */
const GLOBAL_IPV6 = "2000::/3";
const INNER_IPV6 = "2001::/23 2001:db8::/32 2002::/16";

const inner = networks(INNER_IPV4, "ipv4");
const innerIpv6 = networks(INNER_IPV6, "ipv6");
const globalIpv6 = networks(GLOBAL_IPV6, "ipv6");

function networks(list: string, family: "ipv4" | "ipv6"): BlockList {
  const found = new BlockList();
  for (const network of list.split(" ")) {
    const [address = "", bits] = network.split("/");
    found.addSubnet(address, Number(bits), family);
  }
  return found;
}

/** Whether an address is on the public internet. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !inner.check(address, "ipv4");
  return globalIpv6.check(address, "ipv6") && !innerIpv6.check(address, "ipv6");
}
