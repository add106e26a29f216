import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { API_FILES } from "@followspot/contract/api-files";
import comments from "@followspot/contract/comments.json" with { type: "json" };
import type { FastifyInstance } from "fastify";
import { zipSync } from "fflate";
import { ROOT } from "../../platform/settings.ts";

/** Zip knows no time before (APPNOTE 4.4.6). */
const FIRST_DAY_OF_ZIP = "1980-01-01T00:00:00";
const PROTOS = join(ROOT, "packages/contract/proto");

/**
 * What other tools read of the contract: `/api/openapi.json`, `/api/asyncapi.json`, `/api/followspot.binpb` and
 * `/api/protos.zip`. For everybody, as the contract is no secret; each is written when it is asked for first.
 */
export function registerApiFiles(app: FastifyInstance, basePath = ""): void {
  const commentOf = (fullName: string) => (comments as Readonly<Record<string, string>>)[fullName];
  const serve = (name: string, mediaType: string, write: () => Promise<Uint8Array> | Uint8Array) => {
    let bytes: Buffer | undefined;
    app.get(`/api/${name}`, async (_request, reply) =>
      reply
        .header("cache-control", "no-cache")
        .type(mediaType)
        .send((bytes ??= Buffer.from(await write()))),
    );
  };
  for (const [name, { mediaType, write }] of Object.entries(API_FILES))
    serve(name, mediaType, () => write(commentOf, basePath));
  serve("protos.zip", "application/zip", packProtos);
}

async function packProtos(): Promise<Uint8Array> {
  const entries = await readdir(PROTOS, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.sort().map(async (path) => [inArchive(path), await readFile(path)] as const);
  // One time for all: the same files give the same bytes.
  return zipSync(Object.fromEntries(await Promise.all(files)), { mtime: FIRST_DAY_OF_ZIP });
}

const inArchive = (path: string): string => `proto/${relative(PROTOS, path).split(sep).join("/")}`;
