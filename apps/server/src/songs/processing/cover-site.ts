import type { IncomingMessage } from "node:http";
import { askPublic, NotPublicError, type PublicSite } from "./public-fetch.ts";

/** Hosts of the video site that serve cover images. */
const HOSTS = new Set([
  ...["i.ytimg.com", "i1.ytimg.com", "i2.ytimg.com", "i3.ytimg.com", "i4.ytimg.com", "i9.ytimg.com"],
  "img.youtube.com",
]);
const MAX_BYTES = 5_000_000;
const FETCH_MS = 10_000;
const MAX_REDIRECTS = 3;

/** Reason a cover was not fetched; for the log. */
export class CoverError extends Error {}

/**
 * Fetches a cover image from the video site. The address comes from the site and is not trusted: it must be https to a
 * listed host. It is checked again after every redirect and after name resolution, so that no site can make the server
 * send requests into its own network.
 *
 * @throws CoverError if the address is not allowed, missing, too large or too slow
 */
export async function fetchCover(address: string, site: PublicSite, signal: AbortSignal): Promise<Uint8Array> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
  let url = allowed(address, site);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await askPublic(url, site, inTime).catch((error: unknown) => {
      if (error instanceof NotPublicError) throw new CoverError(error.message);
      throw new CoverError("it could not be fetched", { cause: error });
    });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return read(response);
    response.destroy();
    if (statusCode < 300 || statusCode > 399 || !headers.location) throw new CoverError(`it answered ${statusCode}`);
    url = allowed(headers.location, site, url);
  }
  throw new CoverError("it was redirected too often");
}

function allowed(address: string, { testSite }: PublicSite, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new CoverError("its address is invalid");
  if (testSite && url.origin === new URL(testSite).origin) return url;
  const isListed = url.protocol === "https:" && url.port === "" && HOSTS.has(url.hostname);
  if (!isListed || url.username || url.password) throw new CoverError("its address is not one of the video site");
  return url;
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
