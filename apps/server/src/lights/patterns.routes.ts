import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { readInsights, readPatternEvents } from "./plan-events.ts";

const DEFAULT_HISTORY = 100;
const DEFAULT_WINDOW_SECONDS = 10;

/** Methods that return the plan and the analysis of a song. */
export function patternMethods({ readSongFile }: LightsPorts) {
  return {
    getPatternHistory: async (request) => {
      const events = await readPatternEvents(readSongFile, request.songId);
      return { patterns: events.slice(0, request.limit || DEFAULT_HISTORY) };
    },

    getPatternContext: async (request) => {
      const reach = (request.windowSeconds || DEFAULT_WINDOW_SECONDS) / 2;
      const events = await readPatternEvents(readSongFile, request.songId);
      return { patterns: events.filter((event) => Math.abs(event.timestamp - request.timestamp) <= reach) };
    },

    getAIInsights: async (request) => ({ insights: await readInsights(readSongFile, request.songId) }),
  } satisfies LightsMethods;
}
