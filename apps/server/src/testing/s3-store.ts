// oxlint-disable-next-line typescript/triple-slash-reference -- who imports this file alone needs the types of the package, which has none
/// <reference path="./s3rver.d.ts" />
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { S3Blobs } from "../platform/blobs/s3-blobs.ts";
import { readS3Address } from "../platform/files/s3-address.ts";

export const BUCKET = "songs-of-tests";

/** Credentials that s3rver accepts. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" } as const;

/** S3 store with one bucket. */
export interface S3Store {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts an S3 store, on any loopback port by default.
 *
 * @param kept folder that stores the objects and remains afterwards; a temporary one by default
 */
export async function startS3({ address = "127.0.0.1", port: asked = 0, kept = "" } = {}): Promise<S3Store> {
  const directory = kept || (await mkdtemp(join(tmpdir(), "followspot-s3-")));
  const server = new S3rver({
    ...{ port: asked, address, silent: true, directory },
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  let isClosed = false;
  return {
    port,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      const closed = server.close();
      // Without this, the close waits for responses that clients have not read to the end.
      server.httpServer.closeAllConnections();
      await closed;
      if (!kept) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Returns FOLLOWSPOT_BLOBS for a store on a loopback port. */
export const s3Setting = (port: number, prefix = "office", more = "") =>
  `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}&path-style=1${more}`;

/** @param silenceMs timeout of a silent connection */
export function openS3(port: number, prefix?: string, silenceMs?: number): S3Blobs {
  const address = readS3Address(s3Setting(port, prefix));
  if (typeof address === "string") throw new Error(address);
  return new S3Blobs(address, silenceMs === undefined ? {} : { silenceMs });
}
