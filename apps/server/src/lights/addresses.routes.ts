import { freeInWords, nameInWords, rangeInWords, type NamedRange, type TakenRange } from "@followspot/lighting";
import { listLights } from "./lights.store.ts";
import { toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { addressAt, nextFreeAddress, rangesIn, requireAddress, requirePosition } from "./patch.ts";

/** Methods that answer questions about the patch: the address of a new light, and overlaps. */
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
      const lights = await listLights(sql);
      const conflicts = lights.flatMap((light) => {
        const conflictingStart = Math.max(light.dmx_address, rangeStart);
        const conflictingEnd = Math.min(light.dmx_address + light.channel_count - 1, rangeEnd);
        const isOther = light.id !== request.excludeLightId && light.universe === universe;
        return isOther && conflictingStart <= conflictingEnd
          ? [{ light: toLight(light), conflictingStart, conflictingEnd }]
          : [];
      });
      const taken = rangesIn(lights, universe).filter(({ id }) => id !== request.excludeLightId);
      const report = conflictInWords(taken, { address: rangeStart, channelCount: request.channelCount }, universe);
      return { hasConflict: conflicts.length > 0, conflicts, rangeStart, rangeEnd, report };
    },

    getNextDMXAddress: async (request) => {
      const lights = await listLights(sql);
      const { channelCount } = request;
      const lightCount = request.lightCount || 1;
      const dmxAddress = nextFreeAddress(lights, channelCount, request.universe || 1, lightCount);
      return { dmxAddress, endAddress: dmxAddress + channelCount * lightCount - 1 };
    },
  } satisfies LightsMethods;
}

/** Describes the overlap of a range, and a free address. */
function conflictInWords(taken: readonly NamedRange[], wanted: TakenRange, universe: number): string {
  const met = taken.filter(
    ({ address, channelCount }) =>
      address < wanted.address + wanted.channelCount && wanted.address < address + channelCount,
  );
  if (met.length === 0) return "";
  const names = met.map((light) => `${nameInWords(light)} (${rangeInWords(light)})`).join(", ");
  const free = freeInWords(taken, wanted.channelCount, 1);
  return `${rangeInWords(wanted)} overlaps ${names} on universe ${universe}. ${free}`;
}
