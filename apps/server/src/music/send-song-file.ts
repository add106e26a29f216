import { Readable } from "node:stream";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { BlobError, type BlobStat } from "../blobs/blob-store.ts";
import { contentType } from "../blobs/content-type.ts";
import { notFound } from "../platform/errors.ts";
import { chooseBytes } from "./choose-bytes.ts";
import { isSongId, type SongFiles } from "./song-files.ts";

/** Players ask for one; more at once only keep the server busy. */
const MAX_RANGES = 2;
/** A player asks for parts of a song as long as it plays. */
const LINK_SECONDS = 4 * 3600;

/** What {@link sendSongFile} needs of the routes around it. */
export async function prepareSongFiles(scope: FastifyInstance, files: SongFiles): Promise<void> {
  if (files.isLocal) await scope.register(fastifyStatic, { serve: false, root: files.root });
}

/** A song's file with ranges and conditional requests; If-Range keeps a player from joining two versions of it. */
export async function sendSongFile(
  files: SongFiles,
  id: string,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isSongId(id)) throw notFound("Song", cut(id));
  const found = await files.stat(id, name);
  if (!found) throw notFound("File", name);
  // More than there is of its end is the whole (RFC 9110 §14.1.2); the library refuses it.
  if (Number(/^bytes=-(\d+)$/.exec(request.headers.range ?? "")?.[1] ?? 0) >= found.bytes) {
    delete request.headers.range;
  }
  if ((request.headers.range?.split(",").length ?? 0) > MAX_RANGES) {
    return reply.code(416).header("content-range", "bytes */*").send();
  }
  reply.header("content-security-policy", "sandbox").header("cache-control", "private, no-cache");
  if (files.isLocal) return reply.sendFile(name, files.folder(id), { cacheControl: false });
  return sendStored(files, id, name, found, request, reply);
}

/** Sends a browser to the store for a song's file; undefined where it is to come through this server. */
export async function sendToStore(
  files: SongFiles,
  id: string,
  name: string,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!isSongId(id) || !(await files.stat(id, name))) return undefined;
  const link = await files.link(id, name, LINK_SECONDS);
  return link === undefined ? undefined : reply.header("cache-control", "private, no-cache").redirect(link, 307);
}

/** The bytes a request is after, as they come from the store. */
async function sendStored(
  files: SongFiles,
  id: string,
  name: string,
  found: BlobStat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${found.etag}"`;
  reply.header("etag", etag).header("last-modified", new Date(found.mtimeMs).toUTCString());
  reply.header("accept-ranges", "bytes").type(contentType(name));
  const chosen = chooseBytes(request.headers, { ...found, etag });
  if (chosen.status === 304) return reply.code(304).send();
  if (chosen.status === 416) return reply.code(416).header("content-range", `bytes */${found.bytes}`).send();
  const { start, end } = chosen;
  reply.code(chosen.status).header("content-length", end - start + 1);
  if (chosen.status === 206) reply.header("content-range", `bytes ${start}-${end}/${found.bytes}`);
  if (request.method === "HEAD" || found.bytes === 0) return reply.send(Readable.from([]));
  const range = chosen.status === 206 ? { start, end } : undefined;
  const blob = await files.read(id, name, { range, etag: found.etag }).catch((error: unknown) => {
    if (error instanceof BlobError && error.kind === "changed") return undefined;
    throw error;
  });
  if (blob) return reply.send(Readable.from(blob.chunks));
  // Written again, or removed, since it was looked at.
  const now = await files.stat(id, name);
  if (!now) throw notFound("File", name);
  return sendStored(files, id, name, now, request, reply);
}

/** A caller's text in our answer: short and on one line. */
export const cut = (text: string) => text.replaceAll(/\p{Cc}/gu, "").slice(0, 60);
