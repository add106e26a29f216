import { SERVICES } from "../services.ts";
import { asyncApi } from "./async-api.ts";
import { descriptorSet } from "./descriptor-set.ts";
import type { CommentOf } from "./json-schema.ts";
import { openApi } from "./open-api.ts";

/** A description of the API that other tools read. */
interface ApiFile {
  readonly mediaType: string;
  readonly write: (commentOf: CommentOf) => Uint8Array;
}

/** By the name under which each is downloaded. */
export const API_FILES: Readonly<Record<string, ApiFile>> = {
  "openapi.json": { mediaType: "application/json", write: (commentOf) => jsonBytes(openApi(SERVICES, commentOf)) },
  "asyncapi.json": { mediaType: "application/json", write: () => jsonBytes(asyncApi()) },
  "followspot.binpb": { mediaType: "application/octet-stream", write: () => descriptorSet(SERVICES) },
};

const jsonBytes = (document: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`);
