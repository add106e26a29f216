import { listLights } from "./lights.store.ts";
import { toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { addressAt, nextFreeAddress, requireAddress, requirePosition } from "./patch.ts";

/** Questions about the patch: where a light would go, and what is in its way. */
export function addressMethods({ sql }: LightsPorts) {
  return {
    calculateDMXAddress: async (request) => {
      const { channelCount } = request;
      const dmxAddress = addressAt(await listLights(sql), {
        position: requirePosition(request.position),
        channelCount,
        universe: request.universe || 1,
        exceptId: request.excludeLightId,
      });
      return { dmxAddress, endAddress: dmxAddress + channelCount - 1 };
    },

    checkDMXConflict: async (request) => {
      const rangeStart = requireAddress(request.dmxAddress, request.channelCount);
      const rangeEnd = rangeStart + request.channelCount - 1;
      const universe = request.universe || 1;
      const conflicts = (await listLights(sql)).flatMap((light) => {
        const conflictingStart = Math.max(light.dmx_address, rangeStart);
        const conflictingEnd = Math.min(light.dmx_address + light.channel_count - 1, rangeEnd);
        const isOther = light.id !== request.excludeLightId && light.universe === universe;
        return isOther && conflictingStart <= conflictingEnd
          ? [{ light: toLight(light), conflictingStart, conflictingEnd }]
          : [];
      });
      return { hasConflict: conflicts.length > 0, conflicts, rangeStart, rangeEnd };
    },

    getNextDMXAddress: async (request) => {
      const lights = await listLights(sql);
      const dmxAddress = nextFreeAddress(lights, request.channelCount, request.universe || 1);
      return { dmxAddress, endAddress: dmxAddress + request.channelCount - 1 };
    },
  } satisfies LightsMethods;
}
