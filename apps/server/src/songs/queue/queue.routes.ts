import type { ServiceImpl } from "@connectrpc/connect";
import type { MusicService, ShowQueue } from "@followspot/contract/music";
import { requireCaller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { broadcastSong, describeQueue, pauseMusic, playPlaylist, playWalkIn, resumeMusic, seekMusic, skipSong, stopMusic, stopWalkIn, undoSkip, type QueuePorts } from "./show-queue.ts"; // prettier-ignore

export interface QueueMethodsPorts extends QueuePorts {
  readonly sql: Sql;
  /** The queue is another one: the stage and the player look at once. */
  readonly onQueue: () => void;
}

/** What plays to everybody: started, paused, moved, skipped, stopped. */
export function queueMethods({ onQueue, ...ports }: QueueMethodsPorts) {
  const { sql } = ports;
  const ring = async (queue: Promise<ShowQueue>): Promise<{ queue: ShowQueue }> => {
    const changed = await queue;
    onQueue();
    return { queue: changed };
  };

  return {
    playPlaylist: ({ playlistId, songId, repeat, gapSeconds, fadeSeconds }, context) =>
      ring(
        playPlaylist(ports, requireCaller(context), { playlistId, songId, repeats: repeat, gapSeconds, fadeSeconds }),
      ),
    playWalkIn: (_request, context) => ring(playWalkIn(ports, requireCaller(context))),
    stopWalkIn: (_request, context) => ring(stopWalkIn(sql, requireCaller(context))),
    broadcastSong: async ({ songId }, context) => ({
      success: true,
      ...(await ring(broadcastSong(ports, requireCaller(context), songId))),
    }),
    skipSong: async ({ songId, undo }, context) => {
      const caller = requireCaller(context);
      const result = undo ? { queue: await undoSkip(ports, caller, undo) } : await skipSong(ports, caller, songId);
      onQueue();
      return result;
    },
    pauseMusic: (_request, context) => ring(pauseMusic(sql, requireCaller(context))),
    resumeMusic: (_request, context) => ring(resumeMusic(sql, requireCaller(context))),
    seekMusic: ({ songId, position }, context) => ring(seekMusic(sql, requireCaller(context), songId, position)),
    stopMusic: async (_request, context) => ({
      success: true,
      ...(await ring(stopMusic(sql, requireCaller(context)))),
    }),
    getShowQueue: async () => ({ queue: await describeQueue(sql) }),
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}
