import { PLAYER_KEY_HEADER, PLAYER_PATHS } from "@followspot/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { prepareSongFiles, sendSongFile } from "../../songs/catalog/send-song-file.ts";
import type { SongFiles } from "../../songs/catalog/song-files.ts";
import type { Sql } from "../../platform/database/database.ts";
import { unauthenticated } from "../../platform/errors.ts";
import { seedOfLinkKey } from "../../platform/http/link-key.ts";
import { readPaPlayer } from "./pa-player.store.ts";
import { PLAYER_LINK } from "./players.ts";

export interface PlayerSongsPorts {
  readonly sql: Sql;
  readonly secret: Uint8Array;
  readonly files: SongFiles;
}

/** Registers the HTTP routes for players: audio and covers of songs, authorized by the key of their link. */
export function registerPlayerSongs(app: FastifyInstance, { sql, secret, files }: PlayerSongsPorts): void {
  /** Checks the key. An invalid signature is rejected without a database query. @throws unauthenticated */
  async function admit({ headers }: FastifyRequest): Promise<void> {
    const seed = seedOfLinkKey(secret, PLAYER_LINK, "", headers[PLAYER_KEY_HEADER]);
    const row = seed && (await readPaPlayer(sql));
    if (!seed || !row?.seed?.equals(seed))
      throw unauthenticated("This link opens no player, or not any more. Ask for a new one.");
  }

  void app.register(async (scope) => {
    scope.addHook("onRequest", admit);
    await prepareSongFiles(scope, files);
    for (const name of ["audio.mp3", "cover-small.webp"])
      scope.get<{ Params: { id: string } }>(`${PLAYER_PATHS.songs}/:id/${name}`, (request, reply) =>
        sendSongFile(files, request.params.id, name, request, reply),
      );
  });
}
