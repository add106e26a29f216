import { PLAYER_KEY_HEADER, PLAYER_PATHS } from "@followspot/contract";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isSongId, type SongFiles } from "../music/song-files.ts";
import type { Sql } from "../platform/database.ts";
import { notFound, unauthenticated } from "../platform/errors.ts";
import { seedOfLinkKey } from "../platform/link-key.ts";
import { readPaPlayer } from "./pa-player.store.ts";
import { PLAYER_LINK } from "./players.ts";

export interface PlayerSongsPorts {
  readonly sql: Sql;
  readonly secret: Uint8Array;
  readonly files: SongFiles;
}

/** What a player may ask for beside its socket, with the key of its link: sound and pictures of songs. */
export function registerPlayerSongs(app: FastifyInstance, { sql, secret, files }: PlayerSongsPorts): void {
  /** A key the secret did not make costs no question to the database. @throws unauthenticated */
  async function admit({ headers }: FastifyRequest): Promise<void> {
    const seed = seedOfLinkKey(secret, PLAYER_LINK, "", headers[PLAYER_KEY_HEADER]);
    const row = seed && (await readPaPlayer(sql));
    if (!seed || !row?.seed?.equals(seed))
      throw unauthenticated("This link opens no player, or not any more. Ask for a new one.");
  }

  void app.register(async (scope) => {
    scope.addHook("onRequest", admit);
    await scope.register(fastifyStatic, { serve: false, root: files.root });
    for (const name of ["audio.mp3", "cover-small.webp"])
      scope.get<{ Params: { id: string } }>(`${PLAYER_PATHS.songs}/:id/${name}`, async ({ params: { id } }, reply) => {
        if (!isSongId(id) || !(await files.stat(files.path(id, name)))) throw notFound("File", name);
        reply.header("content-security-policy", "sandbox").header("cache-control", "private, no-cache");
        return reply.sendFile(`${id}/${name}`, { cacheControl: false });
      });
  });
}
