import type { IncomingMessage } from "node:http";
import { open } from "node:fs/promises";
import { networkFault } from "./network-fault.ts";
import { askPublic, NotPublicError, type PublicSite } from "./public-fetch.ts";
import { StepError, WaitError } from "./step-error.ts";
import { isOfSites, isOpenAddress, isVideoHost } from "./video-link.ts";
import { watched, type Watch, type WatchFaults, type WatchLimits } from "./watched.ts";

export interface LinkedSite extends PublicSite {
  /** Longest silence and longest download, ms; shorter in tests. */
  readonly limits?: WatchLimits;
  /** Largest file, bytes; smaller in tests. */
  readonly mostBytes?: number;
}

interface Report {
  readonly signal: AbortSignal;
  /** Receives 0..1; not called if the site does not report the size. */
  readonly onProgress: (share: number) => void;
}

const LIMITS = { silenceMs: 60_000, totalMs: 12 * 3600_000 };
/** Limits for a page, whose body is not read, ms. */
const PAGE_LIMITS = { silenceMs: 10_000, totalMs: 20_000 };
const MOST_BYTES = 700_000_000;
const MAX_REDIRECTS = 5;
/** Accepted content types: sound, or unspecified bytes, which are checked by content. */
const SOUND = /^(audio\/|application\/(ogg|octet-stream)\b|binary\/octet-stream\b|video\/(webm|mp4|ogg)\b|$)/i;

/**
 * Fetches an audio file from the public internet. Each address on the way is checked: https, a host name, and no
 * address in our own networks. Bounded in size and time.
 *
 * @throws StepError with a sentence for users; the file may be half-written
 */
export function fetchSound(address: string, to: string, site: LinkedSite, report: Report): Promise<void> {
  return watched(site.limits ?? LIMITS, report.signal, FAULTS, async (watch) => {
    const { response } = await follow(new URL(address), site, watch.signal, isOpenAddress);
    watch.heard();
    const { statusCode = 0, headers } = response;
    if (statusCode !== 200) {
      response.destroy();
      throw refusalOf(statusCode);
    }
    if (!SOUND.test(headers["content-type"] ?? "")) {
      response.destroy();
      throw new StepError(
        "This link leads to a page, not to a sound. Give the link of the audio file itself, or upload the file.",
      );
    }
    await save(response, to, site.mostBytes ?? MOST_BYTES, watch, report.onProgress);
  });
}

/**
 * Returns the final address of a page on one of the sites; all its redirects must stay on these sites. Other responses
 * of the site are left to the downloader.
 *
 * @throws StepError if a redirect leads to another site
 */
export async function findPage(
  address: string,
  sites: readonly string[],
  site: LinkedSite,
  signal: AbortSignal,
): Promise<string> {
  const isKnown = (url: URL) => isOpenAddress(url) && (isOfSites(url.hostname, sites) || isVideoHost(url.hostname));
  try {
    return await watched(site.limits ?? PAGE_LIMITS, signal, FAULTS, async (watch) => {
      const { response, url } = await follow(new URL(address), site, watch.signal, isKnown);
      response.destroy();
      return url.href;
    });
  } catch (error) {
    if (signal.aborted || (error instanceof StepError && !error.retry)) throw error;
    return address; // the downloader explains better why a site does not respond
  }
}

/** Follows at most {@link MAX_REDIRECTS} redirects. Returns the last response and its address. */
async function follow(
  first: URL,
  site: LinkedSite,
  signal: AbortSignal,
  isAllowed: (url: URL) => boolean,
): Promise<{ readonly response: IncomingMessage; readonly url: URL }> {
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await askPublic(url, site, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return { response, url };
    response.destroy();
    const next = URL.parse(headers.location, url.href);
    const isTest = site.testSite !== undefined && next?.origin === new URL(site.testSite).origin;
    if (!next || !(isTest || isAllowed(next)))
      throw new StepError(
        "This link leads on to an address that is not taken. Give the link it leads to, or upload the file.",
      );
    url = next;
  }
  throw new StepError("This link is redirected without end. Take another link, or upload the file.");
}

const FAULTS: WatchFaults = {
  silent: () => new StepError("The site stopped sending. Retry the download later.", true),
  tooLong: () => new StepError("The download took too long and was stopped. Retry it later.", true),
  other: asStepError,
};

function asStepError(error: unknown): unknown {
  if (error instanceof NotPublicError)
    return new StepError(`This link is not fetched: ${error.message}. Take another link, or upload the file.`);
  const { syscall } = error as NodeJS.ErrnoException;
  if (error instanceof StepError || syscall === "write" || syscall === "open") return error;
  return new StepError(`The site ${networkFault(error)}. Let the server reach it, then retry.`, true);
}

function refusalOf(status: number): StepError {
  if (status === 429 || status === 503)
    return new WaitError("The site asks this server to slow down. Retry in an hour, or upload the file.", {
      kind: "site",
    });
  if (status === 404 || status === 410)
    return new StepError("There is nothing behind this link any more. Take another link, or upload the file.");
  if (status === 401 || status === 403)
    return new StepError("The site does not give this file to the server. Download it in a browser, then upload it.");
  return new StepError(`The site answered ${status}. Retry later, or upload the file.`, status >= 500);
}

async function save(
  response: IncomingMessage,
  to: string,
  mostBytes: number,
  { heard }: Watch,
  onProgress: (share: number) => void,
): Promise<void> {
  const expected = Number(response.headers["content-length"] ?? 0);
  const file = await open(to, "w"); // a killed attempt with this number may have created one
  try {
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      heard();
      size += chunk.length;
      if (Math.max(size, expected) > mostBytes)
        throw new StepError(`This sound is larger than ${Math.round(mostBytes / 1e6)} MB. Choose a shorter one.`);
      await file.writeFile(chunk);
      if (expected > 0) onProgress(Math.min(1, size / expected));
    }
    await file.sync();
  } finally {
    response.destroy();
    await file.close();
  }
}
