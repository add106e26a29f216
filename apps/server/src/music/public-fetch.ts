import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import { BlockList, isIPv4, type LookupFunction } from "node:net";

/** As Node's resolver answers: beside an error there are no addresses. */
type LookUpAnswer = (error: Error | null, addresses?: readonly LookupAddress[]) => void;

export interface PublicSite {
  /** For tests: origin on loopback that stands in for a site. */
  readonly testSite: string | undefined;
  /** The system's, unless given. */
  readonly lookUp?: (host: string, answer: LookUpAnswer) => void;
  /** A way out by http:// or https://. */
  readonly proxy?: string | undefined;
}

/** An address that is not asked, as a clause. */
export class NotPublicError extends Error {}

/**
 * Asks an address of the open internet: https, and the name leads to no network of ours. Redirects are the caller's.
 * @throws NotPublicError, or what the network says
 */
export async function askPublic(url: URL, site: PublicSite, signal: AbortSignal): Promise<IncomingMessage> {
  const isTest = site.testSite !== undefined && url.origin === new URL(site.testSite).origin;
  if (isTest) return send(requestHttp, url, { signal, agent: false });
  if (url.protocol !== "https:") throw new NotPublicError("its address is not https");
  if (site.proxy === undefined) return send(requestHttps, url, { signal, agent: false, lookup: publicLookup(site) });
  // The proxy looks the name up again; here it is looked at first.
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    publicLookup(site)(url.hostname, { all: true }, (error) => (error ? reject(error) : resolve()));
  });
  return send(requestHttps, url, { signal, agent: new Agent({ proxyEnv: { HTTPS_PROXY: site.proxy } }) });
}

/** With an agent of its own: a connection made for another address is never used again. */
function send(
  request: typeof requestHttps | typeof requestHttp,
  url: URL,
  options: Parameters<typeof requestHttps>[1],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end();
  });
}

/** Resolves a name and answers only when every address of it is public: the socket connects to what was checked. */
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
/** Of IPv6 only global unicast is public, without the parts that carry other addresses inside. */
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

/** Whether an address lies on the open internet. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !inner.check(address, "ipv4");
  return globalIpv6.check(address, "ipv6") && !innerIpv6.check(address, "ipv6");
}
