import type { BlobStore } from "../platform/blobs/blob-store.ts";
import { openStore } from "../platform/blobs/open-store.ts";
import type { RunningFile } from "../platform/files/running-file.ts";
import { readS3Address } from "../platform/files/s3-address.ts";

/** Returns the store of song files of a running installation. */
export function storeOf({ blobs }: RunningFile, dataDir: string): BlobStore {
  const address = blobs === undefined ? undefined : readS3Address(blobs);
  if (typeof address === "string") throw new Error(`FOLLOWSPOT_BLOBS: ${address}`);
  return openStore(dataDir, address);
}
