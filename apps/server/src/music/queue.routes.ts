import type { ServiceImpl } from "@connectrpc/connect";
import type { MusicService, ShowQueue } from "@followspot/contract/music";
import { requireCaller } from "../platform/caller.ts";
import type { Sql } from "../platform/database.ts";
import { broadcastSong, describeQueue, playPlaylist, skipSong, stopMusic } from "./show-queue.ts";

export interface QueuePorts {
  readonly sql: Sql;
  /** The queue is another one: the stage looks at once. It looks by itself twice a second. */
  readonly ringStage: () => void;
}

/** What plays to everybody: started, skipped, stopped. */
export function queueMethods({ sql, ringStage }: QueuePorts) {
  const ring = async (queue: Promise<ShowQueue>): Promise<{ queue: ShowQueue }> => {
    const changed = await queue;
    ringStage();
    return { queue: changed };
  };

  return {
    playPlaylist: ({ playlistId, songId, repeat, gapSeconds, fadeSeconds }, context) =>
      ring(playPlaylist(sql, requireCaller(context), { playlistId, songId, repeats: repeat, gapSeconds, fadeSeconds })),
    broadcastSong: async ({ songId }, context) => ({
      success: true,
      ...(await ring(broadcastSong(sql, requireCaller(context), songId))),
    }),
    skipSong: ({ songId }, context) => ring(skipSong(sql, requireCaller(context), songId)),
    stopMusic: async (_request, context) => ({
      success: true,
      ...(await ring(stopMusic(sql, requireCaller(context)))),
    }),
    getShowQueue: async () => ({ queue: await describeQueue(sql) }),
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}
