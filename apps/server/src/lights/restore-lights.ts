import { ConnectError } from "@connectrpc/connect";
import type { FixtureMode } from "@followspot/contract";
import type { Light, RestoreLightsRequest } from "@followspot/contract/lights";
import { hazesIn, nameInWords } from "@followspot/lighting";
import type { Entry } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { invalid } from "../platform/errors.ts";
import { requireChannelOrder } from "./channel-order.ts";
import type { FixtureLibrary, PatchedAs } from "./fixture-library.ts";
import { groupEntry } from "./groups.routes.ts";
import { listGroups, setLightsOfGroup } from "./groups.store.ts";
import { requireAim } from "./light-aim.ts";
import { NOWHERE, poseOfPose } from "./light-pose.ts";
import { hazeInShowsOf, requireLabel, withAddress } from "./light.routes.ts";
import type { FormerLight } from "./lights.store.ts";
import { requireAddress, requirePosition } from "./patch.ts";

/** The rows of lights as messages tell them. @throws what storing them anew would, with the name of the light */
export async function formerLights(
  db: Db,
  fixtures: FixtureLibrary,
  lights: readonly Light[],
): Promise<readonly FormerLight[]> {
  for (const light of lights) naming(light, () => requireChannelOrder(light.channelConfig));
  const modeOf = await fixtures.modesOf(db, lights.map(patchedAs));
  return lights.map((light) => naming(light, () => formerLight(light, modeOf(patchedAs(light)))));
}

const patchedAs = ({ lightType, mode, channelConfig }: Light): PatchedAs => ({
  light_type: lightType,
  mode,
  channel_config: channelConfig,
});

function formerLight(light: Light, mode: FixtureMode | undefined): FormerLight {
  if (!mode) throw invalid("there is no such type or mode any more");
  const { dmxOverride, universe, pose, aim } = light;
  const channel_count = mode.channels.length;
  const haze_in_shows = hazeInShowsOf(light.hazeInShows);
  if (haze_in_shows && !hazesIn(mode)) throw invalid("a lamp in this mode makes no haze");
  if (universe < 1 || universe > LAST_UNIVERSE) throw invalid(`universe: a whole number from 1 to ${LAST_UNIVERSE}`);
  const fields = withAddress({
    ...patchedAs(light),
    label: requireLabel(light.label).slice(0, LABEL),
    channel_count,
    position: requirePosition(light.position),
    enabled: light.enabled,
    universe,
    dmx_override: dmxOverride === undefined ? null : requireAddress(dmxOverride, channel_count),
  });
  return {
    ...fields,
    ...(pose ? poseOfPose(pose) : NOWHERE),
    id: light.id,
    haze_in_shows,
    aim: aim ? requireAim(aim) : null,
  };
}

const LAST_UNIVERSE = 63_999;
const LABEL = 200;

/** Puts lights back into their groups, in the order these had; what joined meanwhile follows. */
export async function rejoin(db: Db, { lights, groups }: RestoreLightsRequest): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const before of await listGroups(db)) {
    const back = lights.filter((light) => light.groups.includes(before.id)).map(({ id }) => id);
    if (back.length === 0) continue;
    const order = groups.find(({ id }) => id === before.id)?.fixtureIds ?? [];
    const members = [...new Set([...order, ...before.light_ids, ...back])];
    const light_ids = members.filter((id) => before.light_ids.includes(id) || back.includes(id));
    await setLightsOfGroup(db, before.id, light_ids);
    entries.push(groupEntry("updated", before, { ...before, light_ids }));
  }
  return entries;
}

/** What a check answers; a refusal of it names the light it is about. */
export function naming<T>(light: { readonly id: number; readonly label: string }, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    throw new ConnectError(`${nameInWords(light)}: ${error.rawMessage}`, error.code);
  }
}
