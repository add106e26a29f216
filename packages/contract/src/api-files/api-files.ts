import { SERVICES } from "../services.ts";
import { asyncApi } from "./async-api.ts";
import { descriptorSet } from "./descriptor-set.ts";
import type { CommentOf } from "./json-schema.ts";
import { openApi } from "./open-api.ts";

/** A description of the API that other tools read. */
interface ApiFile {
  readonly mediaType: string;
  /** @param basePath path below which a proxy serves Followspot; empty at the root of a host */
  readonly write: (commentOf: CommentOf, basePath?: string) => Uint8Array;
}

/** By the name under which each is downloaded. */
export const API_FILES: Readonly<Record<string, ApiFile>> = {
  "openapi.json": {
    mediaType: "application/json",
    write: (commentOf, basePath) => jsonBytes(openApi(SERVICES, commentOf, basePath)),
  },
  "asyncapi.json": { mediaType: "application/json", write: (_commentOf, basePath) => jsonBytes(asyncApi(basePath)) },
  "followspot.binpb": { mediaType: "application/octet-stream", write: () => descriptorSet(SERVICES) },
};

const jsonBytes = (document: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
