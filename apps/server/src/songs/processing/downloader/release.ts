import { createHash, type Hash } from "node:crypto";
import { open } from "node:fs/promises";
import { networkFault } from "../network-fault.ts";
import { watched, type Watch, type WatchFaults, type WatchLimits } from "../watched.ts";
import { isVersion } from "./version.ts";

/** Address of the official releases. */
export const OFFICIAL_RELEASES = "https://github.com/yt-dlp/yt-dlp/releases";

export interface ReleaseSite {
  /** Base address: `BASE/latest` redirects to `…/tag/VERSION`; the files are `BASE/download/VERSION/NAME`. */
  readonly base: string;
  /** Longest silence and longest download, ms; shorter in tests. */
  readonly limits?: WatchLimits;
}

/** Reason nothing was fetched, as a clause about the release address. */
export class ReleaseError extends Error {}

/** The release address is unreachable, which an operator can fix. */
export class UnreachableError extends ReleaseError {}

const LIMITS = { silenceMs: 20_000, totalMs: 10 * 60_000 };
/** Largest accepted executable, bytes; executables have about 20 to 40 MB. */
const MAX_BYTES = 120_000_000;
const MAX_SUMS_BYTES = 100_000;
const MAX_REDIRECTS = 5;
const SUMS = "SHA2-256SUMS";
/** Hosts that GitHub redirects downloads to. */
const GITHUB_HOSTS: readonly string[] = [
  "github.com",
  "objects.githubusercontent.com",
  "release-assets.githubusercontent.com",
];

/**
 * Returns the latest version.
 * @throws ReleaseError
 */
export function latestVersion(site: ReleaseSite, signal: AbortSignal): Promise<string> {
  const limits = site.limits ?? LIMITS;
  return watched(limits, signal, faultsAt(limits), async (watch) => {
    const response = await get(new URL(`${site.base}/latest`), watch);
    await response.body?.cancel();
    const version = response.headers.get("location")?.split("/").at(-1) ?? "";
    if (response.status < 300 || response.status > 399 || !isVersion(version))
      throw new ReleaseError("does not say which version is the latest");
    return version;
  });
}

/**
 * Fetches the official executable of a version into a new file and verifies the checksum of the release. Bounded in
 * size and time; follows redirects only to the site's own hosts.
 *
 * @param onProgress receives 0..1
 * @throws ReleaseError; the file may be half-written
 */
export function fetchExecutable(
  site: ReleaseSite,
  version: string,
  to: string,
  report: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<void> {
  const limits = site.limits ?? LIMITS;
  return watched(limits, report.signal, faultsAt(limits), async (watch) => {
    const name = executableName();
    const at = `${site.base}/download/${version}`;
    const sums = await readText(await getFile(site, `${at}/${SUMS}`, watch), watch);
    const promised = sums
      .split("\n")
      .map((line) => line.trim().split(/\s+\*?/))
      .find(([, file]) => file === name)?.[0]
      ?.toLowerCase();
    if (!promised || !/^[0-9a-f]{64}$/.test(promised)) throw new ReleaseError(`names no checksum for ${name}`);
    const hash = createHash("sha256");
    await save(await getFile(site, `${at}/${name}`, watch), to, hash, watch, report.onProgress);
    if (hash.digest("hex") !== promised)
      throw new ReleaseError(`sent a ${name} whose checksum is not the one of the release`);
  });
}

/**
 * Returns the name of the release's executable for a platform.
 * @throws ReleaseError if there is none
 */
export function executableName(platform = process.platform, arch = process.arch, musl = isMusl()): string {
  const names: Readonly<Record<string, string>> = {
    "linux x64": musl ? "yt-dlp_musllinux" : "yt-dlp_linux",
    "linux arm64": musl ? "yt-dlp_musllinux_aarch64" : "yt-dlp_linux_aarch64",
    "darwin x64": "yt-dlp_macos",
    "darwin arm64": "yt-dlp_macos",
    "win32 x64": "yt-dlp.exe",
    "win32 arm64": "yt-dlp_arm64.exe",
  };
  const name = names[`${platform} ${arch}`];
  if (!name) throw new ReleaseError(`has no yt-dlp for ${platform} on ${arch}`);
  return name;
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }; // untyped by Node
  return header.glibcVersionRuntime === undefined;
}

const faultsAt = ({ silenceMs, totalMs }: WatchLimits): WatchFaults => ({
  silent: () => new UnreachableError(`did not answer for ${silenceMs / 1000} seconds`),
  tooLong: () => new UnreachableError(`took longer than ${totalMs / 60_000} minutes`),
  other: (error) =>
    error instanceof ReleaseError || isOurDisk(error)
      ? error
      : new UnreachableError(networkFault(error), { cause: error }),
});

const isOurDisk = (error: unknown) => (error as NodeJS.ErrnoException).syscall !== undefined;

async function getFile(site: ReleaseSite, address: string, watch: Watch): Promise<Response> {
  let url = new URL(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await get(url, watch);
    if (response.status === 200) return response;
    await response.body?.cancel();
    const to = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || !to)
      throw new ReleaseError(`answered ${response.status} for ${url.pathname.split("/").at(-1)}`);
    url = allowed(to, url, new URL(site.base));
  }
  throw new ReleaseError("redirected too often");
}

/** Returns the target of a redirect. Only the site's own hosts over the same protocol are allowed. */
function allowed(to: string, from: URL, base: URL): URL {
  const url = URL.parse(to, from.href);
  const isOwn = url !== null && (url.host === base.host || (base.host === "github.com" && isGithub(url)));
  if (!isOwn || url.protocol !== base.protocol)
    throw new ReleaseError(`redirected to ${url?.host || "nowhere"}, which is not one of its own hosts`);
  return url;
}

const isGithub = (url: URL) => GITHUB_HOSTS.includes(url.hostname) && url.port === "";

async function get(url: URL, { signal, heard }: Watch): Promise<Response> {
  const response = await fetch(url, {
    signal,
    redirect: "manual",
    headers: { "accept-encoding": "identity", "user-agent": "Followspot" },
  });
  heard();
  return response;
}

async function readText(response: Response, { heard }: Watch): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of bodyOf(response)) {
    heard();
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_SUMS_BYTES) throw new ReleaseError(`sent a ${SUMS} that is too long`);
  }
  return text;
}

async function save(
  response: Response,
  to: string,
  hash: Hash,
  { heard }: Watch,
  onProgress: (share: number) => void,
): Promise<void> {
  const expected = Number(response.headers.get("content-length") ?? 0);
  if (expected > MAX_BYTES) throw new ReleaseError("sends more than a yt-dlp has");
  const file = await open(to, "wx", 0o755);
  try {
    let size = 0;
    for await (const chunk of bodyOf(response)) {
      heard();
      size += chunk.length;
      if (size > MAX_BYTES) throw new ReleaseError("sends more than a yt-dlp has");
      hash.update(chunk);
      await file.write(chunk);
      if (expected > 0) onProgress(Math.min(1, size / expected));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

const bodyOf = (response: Response) => (response.body ?? []) as AsyncIterable<Uint8Array>;
