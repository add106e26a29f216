import { Readable } from "node:stream";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { contentType } from "../../platform/blobs/content-type.ts";
import { notFound } from "../../platform/errors.ts";
import { chooseBytes } from "./choose-bytes.ts";
import { isSongId, type FileVersion, type SongFiles } from "./song-files.ts";

/** Most ranges in one request. Players ask for one; more only load the server. */
const MAX_RANGES = 2;
/** Lifetime of a link to the store, s: a player requests parts of a song as long as it plays. */
const LINK_SECONDS = 4 * 3600;

/** Registers what {@link sendSongFile} needs in the scope of its routes. */
export async function prepareSongFiles(scope: FastifyInstance, files: SongFiles): Promise<void> {
  if (files.isLocal) await scope.register(fastifyStatic, { serve: false, root: files.root });
}

/**
 * Sends a song's file with support for ranges and conditional requests. If-Range keeps a player from joining two
 * versions of a file.
 */
export async function sendSongFile(
  files: SongFiles,
  id: string,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isSongId(id)) throw notFound("Song", cut(id));
  const found = await files.find(id, name);
  if (!found) throw notFound("File", name);
  // A suffix range longer than the file means the whole file (RFC 9110 §14.1.2); the library rejects it.
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

/**
 * Redirects a browser to the object store for a song's file; undefined if the file must pass through this server, as it
 * must while the store fails.
 */
export async function sendToStore(
  files: SongFiles,
  id: string,
  name: string,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!files.hasLinks || !isSongId(id)) return undefined;
  const found = await files.find(id, name);
  const link = found?.isCurrent ? await files.link(id, name, LINK_SECONDS) : undefined;
  return link === undefined ? undefined : reply.header("cache-control", "private, no-cache").redirect(link, 307);
}

/** Streams the requested bytes from the object store. */
async function sendStored(
  files: SongFiles,
  id: string,
  name: string,
  found: FileVersion,
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
  const chunks = await found.read(range);
  if (chunks) return reply.send(Readable.from(chunks));
  // The file was rewritten or removed after the check.
  const now = await files.find(id, name);
  if (!now) throw notFound("File", name);
  return sendStored(files, id, name, now, request, reply);
}

/** Shortens a caller's text for our response: one line, at most 60 characters. */
export const cut = (text: string) => text.replaceAll(/\p{Cc}/gu, "").slice(0, 60);
