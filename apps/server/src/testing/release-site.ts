import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Downloader } from "../songs/processing/downloader/downloader.ts";
import { executableName } from "../songs/processing/downloader/release.ts";

/** Release server for tests, on loopback, that responds as GitHub does. */
export interface ReleaseStandIn {
  /** Value for FOLLOWSPOT_YTDLP_RELEASES. */
  readonly base: string;
  /** Requested paths, oldest first. */
  readonly asked: string[];
  /** Publishes a program as the latest release. */
  release(version: string, program: string | Buffer): void;
  /** Overrides the response to some paths; undefined restores the responses of GitHub. */
  odd: ((path: string, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

/** @param port port of an earlier server that restarts; 0 for any */
export async function startReleaseSite(port = 0): Promise<ReleaseStandIn> {
  const files = new Map<string, Buffer>();
  let latest = "";
  const site: ReleaseStandIn = {
    base: "",
    asked: [],
    odd: undefined,
    release(version, program) {
      latest = version;
      const bytes = Buffer.from(program);
      const hash = createHash("sha256").update(bytes).digest("hex");
      files.set(`/releases/download/${version}/${executableName()}`, bytes);
      files.set(
        `/releases/download/${version}/SHA2-256SUMS`,
        Buffer.from(`${"0".repeat(64)}  yt-dlp\n${hash}  ${executableName()}\n`),
      );
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    site.asked.push(path);
    if (site.odd?.(path, response)) return;
    if (path === "/releases/latest") {
      response.writeHead(302, { location: `/releases/tag/${latest}` }).end();
      return;
    }
    const file = files.get(path.replace(/^\/elsewhere/, ""));
    if (!file) response.writeHead(404).end();
    // GitHub redirects downloads to another address.
    else if (path.startsWith("/releases/download/")) response.writeHead(302, { location: `/elsewhere${path}` }).end();
    else response.writeHead(200, { "content-length": file.length }).end(file);
  }).listen(port, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port: taken } = server.address() as AddressInfo;
  return Object.assign(site, { base: `http://127.0.0.1:${taken}/releases` });
}

/** Returns a downloader that uses the given program and fetches nothing. */
export function namedDownloader(configured: string | undefined): Downloader {
  const settings = { configured, floor: "2025.01.01", folder: "/nonexistent", releases: undefined };
  return new Downloader(settings, () => undefined);
}
