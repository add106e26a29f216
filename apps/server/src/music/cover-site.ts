import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIPv4, type LookupFunction } from "node:net";

/** Hosts of the video site that serve covers. */
const HOSTS = new Set([
  ...["i.ytimg.com", "i1.ytimg.com", "i2.ytimg.com", "i3.ytimg.com", "i4.ytimg.com", "i9.ytimg.com"],
  "img.youtube.com",
]);
const MAX_BYTES = 5_000_000;
const FETCH_MS = 10_000;
const MAX_REDIRECTS = 3;

export interface CoverSite {
  /** For tests: origin on loopback that stands in for the video site. */
  readonly testSite: string | undefined;
  /** The system's, unless given. */
  readonly lookUp?: (host: string, answer: (error: Error | null, addresses: LookupAddress[]) => void) => void;
}

/** Why a cover was not fetched; for the log. */
export class CoverError extends Error {}

/**
 * Fetch a cover from the video site. The address is the site's word and is not trusted: https to a
 * listed host, checked again after every redirect and after its name was resolved, so that nobody
 * can have our network's own servers asked.
 *
 * @throws CoverError when it is not allowed, not there, too large or too slow
 */
export async function fetchCover(address: string, site: CoverSite, signal: AbortSignal): Promise<Uint8Array> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
  let url = allowed(address, site);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await get(url, site, inTime).catch((error: unknown) => {
      throw error instanceof CoverError ? error : new CoverError("it could not be fetched", { cause: error });
    });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return read(response);
    response.destroy();
    if (statusCode < 300 || statusCode > 399 || !headers.location) throw new CoverError(`it answered ${statusCode}`);
    url = allowed(headers.location, site, url);
  }
  throw new CoverError("it was redirected too often");
}

function allowed(address: string, { testSite }: CoverSite, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new CoverError("its address is none");
  if (testSite && url.origin === new URL(testSite).origin) return url;
  const isListed = url.protocol === "https:" && url.port === "" && HOSTS.has(url.hostname);
  if (!isListed || url.username || url.password) throw new CoverError("its address is not one of the video site");
  return url;
}

function get(url: URL, site: CoverSite, signal: AbortSignal): Promise<IncomingMessage> {
  const isTest = url.protocol === "http:";
  const request = isTest ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    // `agent: false`: a connection made for another address is never used again.
    const options = { signal, agent: false, ...(!isTest && { lookup: publicLookup(site) }) } as const;
    request(url, options, resolve).on("error", reject).end();
  });
}

async function read(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new CoverError("it is larger than 5 MB");
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof CoverError ? error : new CoverError("it was cut off", { cause: error });
  }
  return Buffer.concat(chunks);
}

/** Resolves a name and answers only when every address of it is public: the socket connects to what was checked. */
function publicLookup({ lookUp: resolve = systemLookUp }: CoverSite): LookupFunction {
  return (host, options, answer) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses;
      if (error || !first) return answer(error ?? new CoverError("its host has no address"), "", 0);
      const inside = addresses.find(({ address }) => !isPublic(address));
      if (inside) return answer(new CoverError(`its host leads to ${inside.address}, which is not public`), "", 0);
      if (options.all) return answer(null, addresses);
      return answer(null, first.address, first.family);
    });
}

const systemLookUp: NonNullable<CoverSite["lookUp"]> = (host, answer) =>
  lookUp(host, { all: true }, (error, addresses) => answer(error, addresses));

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
