import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Downloader } from "../music/downloader/downloader.ts";
import { executableName } from "../music/downloader/release.ts";

/** Where tests get their releases from: a server on loopback that answers as GitHub does. */
export interface ReleaseStandIn {
  /** For FOLLOWSPOT_YTDLP_RELEASES. */
  readonly base: string;
  /** Paths that were asked for, oldest first. */
  readonly asked: string[];
  /** Makes a program the latest release. */
  release(version: string, program: string | Buffer): void;
  /** Answers one path in another way than GitHub would; undefined goes back to that. */
  odd: ((path: string, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

/** @param port of an earlier one that is up again */
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
    // As GitHub does: the files lie behind another address.
    else if (path.startsWith("/releases/download/")) response.writeHead(302, { location: `/elsewhere${path}` }).end();
    else response.writeHead(200, { "content-length": file.length }).end(file);
  }).listen(port, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const { port: taken } = server.address() as AddressInfo;
  return Object.assign(site, { base: `http://127.0.0.1:${taken}/releases` });
}

/** A downloader that uses the named program and fetches nothing. */
export function namedDownloader(configured: string | undefined): Downloader {
  const settings = { configured, floor: "2025.01.01", folder: "/nonexistent", releases: undefined };
  return new Downloader(settings, () => undefined);
}
