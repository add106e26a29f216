import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toJson } from "@bufbuild/protobuf";
import { SONG_STEPS, type SongStep } from "@followspot/contract";
import { SongSchema } from "@followspot/contract/music";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ulid } from "ulid";
import { SNIFF_BYTES, sniffAudio } from "../audio/sniff-audio.ts";
import { STEM_FILES } from "../audio/write-stems.ts";
import { audit } from "../platform/audit.ts";
import type { Caller, Role } from "../platform/caller.ts";
import type { Sql } from "../platform/database.ts";
import { exhausted, invalid, notFound, unavailable } from "../platform/errors.ts";
import { readCorrected } from "./correct-song.ts";
import { importFile } from "./import-song.ts";
import { retrySong } from "./retry-song.ts";
import { findCorrections } from "./song-corrections.store.ts";
import { isSongId, type SongFiles } from "./song-files.ts";
import { songFromRow } from "./songs.store.ts";

export interface MusicHttpPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  /** Who calls; throws unauthenticated or permission_denied. */
  readonly admit: (request: FastifyRequest, ...roles: Role[]) => Promise<Caller>;
}

const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;
const MAX_RANGES = 2;

/** The plain HTTP side of songs: upload, retry, and the files behind /proxy. */
export function registerMusicHttp(app: FastifyInstance, { sql, files, admit }: MusicHttpPorts): void {
  app.post("/api/songs/upload", { bodyLimit: MAX_UPLOAD_BYTES }, async (request, reply) => {
    const caller = await admit(request, "Admin");
    const id = ulid();
    const folder = await files.makeFolder(id);
    const partial = join(folder, "source.tmp");
    try {
      const { size, hash } = await receive(request, partial);
      if (size === 0) throw invalid("The file is empty. Choose another one.");
      const format = sniffAudio(await files.head(partial, SNIFF_BYTES));
      if (!format) throw invalid("This file holds no audio we can read. Upload an MP3, OGG, FLAC, M4A or WAV.");
      const source = `source.${format}`;
      await rename(partial, join(folder, source));
      const { song, isNew } = await importFile(sql, id, { name: fileName(request), source, hash });
      if (isNew) await audit(sql, caller, "song.upload", `song:${id}`, { after: { title: song.title, bytes: size } });
      else await files.remove(id);
      return await reply.code(isNew ? 201 : 200).send({ song: toJson(SongSchema, songFromRow(song)) });
    } catch (error) {
      await rm(folder, { recursive: true, force: true }); // nothing half-stored
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT")
        throw unavailable("There is no space left on the server's disk. Free some and upload again.", error);
      throw error;
    }
  });

  app.post<{ Params: { id: string }; Querystring: { step?: unknown } }>("/api/songs/:id/retry", async (request) => {
    const caller = await admit(request, "Admin");
    const { step } = request.query;
    if (!isStep(step)) throw invalid("step must be download, analysis or lighting");
    const { id } = request.params;
    if (!isSongId(id)) throw notFound("Song", cut(id));
    const song = await retrySong(sql, id, step);
    await audit(sql, caller, "song.retry", `song:${song.id}`, { after: { step } });
    return { song: toJson(SongSchema, songFromRow(song)) };
  });

  const serve =
    (name: string, type: string) =>
    async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
      await admit(request, "Admin", "Director", "AI");
      return sendFile(files, request, reply, name, type);
    };
  const serveHeard = serve("hybrid.json", "application/json");
  app.get("/proxy/songs/:id/heard.json", serveHeard);
  app.get<{ Params: { id: string } }>("/proxy/songs/:id/hybrid.json", async (request, reply) => {
    const { id } = request.params;
    const stored = isSongId(id) ? await findCorrections(sql, id) : undefined;
    if (!stored) return serveHeard(request, reply);
    await admit(request, "Admin", "Director", "AI");
    const found = await files.stat(files.path(id, "hybrid.json"));
    if (!found) throw notFound("File", "hybrid.json");
    const etag = etagOf(found, `-${stored.revision}`);
    reply.header("etag", etag).header("cache-control", "private, no-cache");
    reply.header("content-type", "application/json").header("content-security-policy", "sandbox");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.send(JSON.stringify(await readCorrected(sql, files, id)));
  });
  app.get("/proxy/music/lighting/:id/lighting.json", serve("lighting.json", "application/json"));
  app.get("/proxy/songs/:id/audio.mp3", serve("audio.mp3", "audio/mpeg"));
  for (const name of Object.values(STEM_FILES)) app.get(`/proxy/songs/:id/stems/${name}`, serve(name, "audio/mpeg"));
}

/** A stranger's text in our answer: short and on one line. */
const cut = (text: string) => text.replaceAll(/\p{Cc}/gu, "").slice(0, 60);

const isStep = (value: unknown): value is SongStep => SONG_STEPS.some((step) => step === value);

/** Streams the body to disk; its size is bounded while it arrives, not afterwards. The hash is SHA-256, hex. */
async function receive(request: FastifyRequest, path: string): Promise<{ size: number; hash: string }> {
  let size = 0;
  const hash = createHash("sha256");
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (size > MAX_UPLOAD_BYTES) done(exhausted("The file is larger than 2 GB. Upload a shorter or compressed one."));
      else done(null, chunk);
    },
  });
  await pipeline(request.raw, meter, createWriteStream(path));
  return { size, hash: hash.digest("hex") };
}

function fileName(request: FastifyRequest): string {
  const given = request.headers["x-file-name"];
  try {
    return decodeURIComponent(typeof given === "string" ? given : "");
  } catch {
    return "";
  }
}

const etagOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }, more = "") =>
  `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}${more}"`;

/** Sends a song's file with Range, conditional requests and no sniffing (RFC 9110 §13, §14). */
async function sendFile(
  files: SongFiles,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  name: string,
  type: string,
): Promise<unknown> {
  let path: string;
  try {
    path = files.path(request.params.id, name);
  } catch {
    throw notFound("Song", cut(request.params.id));
  }
  const found = await files.stat(path);
  if (!found) throw notFound("File", name);
  const etag = etagOf(found);
  reply.header("accept-ranges", "bytes").header("etag", etag).header("cache-control", "private, no-cache");
  reply.header("content-type", type).header("content-security-policy", "sandbox");
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();

  const range = parseRange(request.headers.range, found.size);
  if (range === "unsatisfiable") {
    return reply
      .code(416)
      .header("content-range", `bytes */${found.size}`)
      .header("content-type", "text/plain")
      .send("");
  }
  const { start, end } = range ?? { start: 0, end: found.size - 1 };
  if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${found.size}`);
  reply.header("content-length", Math.max(0, end - start + 1));
  if (request.method === "HEAD" || found.size === 0) return reply.send("");
  return reply.send(files.stream(path, { start, end }));
}

/**
 * One byte range of a Range header. Several ranges are answered with the whole file, which RFC 9110
 * §14.2 allows; more than two are refused.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined | "unsatisfiable" {
  if (!header?.startsWith("bytes=")) return undefined;
  const ranges = header.slice("bytes=".length).split(",");
  if (ranges.length > MAX_RANGES) return "unsatisfiable";
  if (ranges.length > 1) return undefined;
  const match = /^\s*(\d*)-(\d*)\s*$/.exec(ranges[0] ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] === "") {
    const suffix = Number(match[2]);
    if (suffix === 0 || size === 0) return "unsatisfiable";
    return { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (start >= size) return "unsatisfiable";
  return end < start ? undefined : { start, end };
}
