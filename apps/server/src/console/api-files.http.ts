import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { API_FILES } from "@followspot/contract/api-files";
import comments from "@followspot/contract/comments.json" with { type: "json" };
import type { FastifyInstance } from "fastify";
import { ROOT } from "../platform/settings.ts";
import { tarOf } from "./tar.ts";

const PROTOS = join(ROOT, "packages/contract/proto");

/**
 * What other tools read of the contract: `/api/openapi.json`, `/api/asyncapi.json`, `/api/followspot.binpb` and
 * `/api/protos.tar.gz`. For everybody, as the contract is no secret; each is written when it is asked for first.
 */
export function registerApiFiles(app: FastifyInstance): void {
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
  for (const [name, { mediaType, write }] of Object.entries(API_FILES)) serve(name, mediaType, () => write(commentOf));
  serve("protos.tar.gz", "application/gzip", packProtos);
}

async function packProtos(): Promise<Uint8Array> {
  const entries = await readdir(PROTOS, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.sort().map(async (path) => [inArchive(path), await readFile(path)] as const);
  return promisify(gzip)(tarOf(new Map(await Promise.all(files))));
}

const inArchive = (path: string): string => `proto/${relative(PROTOS, path).split(sep).join("/")}`;
