import type { S3Address } from "../files/s3-address.ts";
import type { BlobStore } from "./blob-store.ts";
import { FolderBlobs } from "./folder-blobs.ts";
import { S3Blobs } from "./s3-blobs.ts";

/** @param address undefined for the data folder */
export const openStore = (dataDir: string, address: S3Address | undefined): BlobStore =>
  address ? new S3Blobs(address) : new FolderBlobs(dataDir);
