import { toJson } from "@bufbuild/protobuf";
import { SONG_STEPS, type SongStep } from "@followspot/contract";
import { SongSchema } from "@followspot/contract/music";
import type { FastifyRequest } from "fastify";
import { STEM_FILES } from "../audio/write-stems.ts";
import type { Sql } from "../../platform/database/database.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import type { HttpServer } from "../../platform/http/http-server.ts";
import { retrySong } from "./change-song.ts";
import { readCorrected } from "./correct-song.ts";
import { findCorrections } from "../catalog/song-corrections.store.ts";
import { isSongId, planName, type SongFiles } from "../catalog/song-files.ts";
import { cut, prepareSongFiles, sendSongFile, sendToStore } from "../catalog/send-song-file.ts";
import { noteSongUse } from "../catalog/old-files.store.ts";
import { findSong, songFromRow } from "../catalog/songs.store.ts";
import { receive, storeOriginal } from "./store-original.ts";

export interface MusicHttpPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  /** Called with each imported song. */
  readonly onImported?: ((songId: string) => void) | undefined;
}

const MAX_UPLOAD_BYTES = 2 * 1024 ** 3;

type OfSong = { Params: { id: string } };

/** Plain HTTP routes of songs: upload, retry, and the files under /proxy. */
export function registerMusicHttp(
  { app, guard, callerOf }: HttpServer,
  { sql, files, onImported }: MusicHttpPorts,
): void {
  void app.register(async (scope) => {
    // The route reads an upload as a stream, whatever its content type; no parser touches it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.post(
      "/api/songs/upload",
      { bodyLimit: MAX_UPLOAD_BYTES, onRequest: guard("Admin") },
      async (request, reply) => {
        if (request.headers["content-type"]?.toLowerCase().startsWith("multipart/"))
          throw invalid(
            "Send the file itself as the body, and its name in the header x-file-name: a form is not read.",
          );
        const name = fileName(request);
        const write = (path: string) => receive(request.raw, path, MAX_UPLOAD_BYTES);
        const {
          song,
          isNew,
          isRestarted = false,
        } = await storeOriginal({ sql, files }, callerOf(request), name, write);
        if (isNew) onImported?.(song.id);
        return reply
          .code(isNew ? 201 : 200)
          .send({ song: toJson(SongSchema, songFromRow(song)), restarted: isRestarted });
      },
    );
  });

  app.post<OfSong & { Querystring: { step?: unknown } }>(
    "/api/songs/:id/retry",
    { onRequest: guard("Admin") },
    async (request) => {
      const { step } = request.query;
      if (!isStep(step)) throw invalid("step must be download, analysis or lighting");
      const { id } = request.params;
      if (!isSongId(id)) throw notFound("Song", cut(id));
      const song = await retrySong(sql, callerOf(request), id, step);
      return { song: toJson(SongSchema, songFromRow(song)) };
    },
  );

  void app.register(async (scope) => {
    scope.addHook("onRequest", guard("Admin", "Director", "AI"));
    await prepareSongFiles(scope, files);
    const serve = (path: string, name: string) =>
      scope.get<OfSong>(path, (request, reply) => sendSongFile(files, request.params.id, name, request, reply));

    serve("/proxy/songs/:id/heard.json", "hybrid.json");
    scope.get<OfSong>("/proxy/music/lighting/:id/lighting.json", async (request, reply) => {
      const { id } = request.params;
      const song = isSongId(id) ? await findSong(sql, id) : undefined;
      return sendSongFile(files, id, planName(song?.plan_number ?? 0), request, reply);
    });
    for (const name of ["cover.webp", "cover-small.webp"]) serve(`/proxy/songs/:id/${name}`, name);
    // Not awaited: a full database must not keep listeners from their audio.
    const noteUse = (id: string) => void noteSongUse(sql, id).catch(() => undefined);
    const serveSound = (path: string, name: string) =>
      scope.get<OfSong>(path, async (request, reply) => {
        const { id } = request.params;
        noteUse(id);
        const redirected = await sendToStore(files, id, name, reply);
        if (redirected) return redirected;
        const sent = await sendSongFile(files, id, name, request, reply);
        files.copyForOutage(id, name);
        return sent;
      });
    serveSound("/proxy/songs/:id/audio.mp3", "audio.mp3");
    for (const name of Object.values(STEM_FILES)) serveSound(`/proxy/songs/:id/stems/${name}`, name);
    scope.get<OfSong>("/proxy/songs/:id/hybrid.json", async (request, reply) => {
      const { id } = request.params;
      noteUse(id);
      const stored = isSongId(id) ? await findCorrections(sql, id) : undefined;
      if (!stored) return sendSongFile(files, id, "hybrid.json", request, reply);
      const found = await files.find(id, "hybrid.json");
      if (!found) throw notFound("File", "hybrid.json");
      const etag = `W/"${found.etag}-${stored.revision}"`;
      reply.header("etag", etag).header("cache-control", "private, no-cache");
      reply.header("content-type", "application/json").header("content-security-policy", "sandbox");
      if (request.headers["if-none-match"] === etag) return reply.code(304).send();
      return reply.send(JSON.stringify(await readCorrected(sql, files, id)));
    });
  });
}

const isStep = (value: unknown): value is SongStep => SONG_STEPS.some((step) => step === value);

function fileName(request: FastifyRequest): string {
  const given = request.headers["x-file-name"];
  try {
    return decodeURIComponent(typeof given === "string" ? given : "");
  } catch {
    return "";
  }
}
