import type { ServiceImpl } from "@connectrpc/connect";
import type { MusicService } from "@followspot/contract/music";
import { requireCaller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { notFound } from "../../platform/errors.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { listRevisions } from "../catalog/plan-revisions.store.ts";
import { restoreRevision } from "./plan-revisions.ts";
import { parseWishes, saveWishes } from "./show-wishes.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { findWishes } from "../catalog/song-wishes.store.ts";
import { findSong, songFromRow } from "../catalog/songs.store.ts";

/** Methods for the choice of a song's show: show settings and earlier shows. */
export function showMethods({ sql, files }: { readonly sql: Sql; readonly files: SongFiles }) {
  const requireSong = async (id: string) => {
    const song = await findSong(sql, id);
    if (!song) throw notFound("Song", id);
    return song;
  };

  return {
    async getShowWishes({ songId }) {
      await requireSong(songId);
      const { wishes, revision, updatedAt } = await findWishes(sql, songId);
      return {
        wishesJson: JSON.stringify(wishes),
        revision,
        ...(updatedAt && { updatedAt: timestampOf(updatedAt) }),
      };
    },

    async updateShowWishes({ songId, wishesJson, revision: madeOn }, context) {
      const wishes = parseWishes(wishesJson);
      const { revision, song } = await saveWishes(sql, files, requireCaller(context), songId, wishes, madeOn);
      return { revision, song: songFromRow(song) };
    },

    async listPlanRevisions({ songId }) {
      const song = await requireSong(songId);
      const rows = await listRevisions(sql, songId);
      return {
        revisions: rows.map(({ number, made_at, made_by_name, changed, palette, remark }) => ({
          number,
          madeAt: timestampOf(made_at),
          madeBy: made_by_name ?? "",
          changed: [...changed],
          isCurrent: number === song.plan_number,
          palette: [...palette],
          remark,
        })),
      };
    },

    async restorePlanRevision({ songId, number }, context) {
      const { song, wishesRevision } = await restoreRevision(sql, files, requireCaller(context), songId, number);
      return { song: songFromRow(song), wishesRevision };
    },
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}
