import type { AddLightsRequest } from "@followspot/contract/lights";
import { freeInWords, rangeInWords } from "@followspot/lighting";
import { UNIVERSE_SLOTS, type GroupType } from "@followspot/contract";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { invalid, notFound, outOfRange } from "../platform/errors.ts";
import { insertAt, makeGroup } from "./add-lights.ts";
import { requireChannelOrder } from "./channel-order.ts";
import { requireGroupId, requireGroupName, requireGroupType } from "./group-rules.ts";
import { getGroup, groupEntry, toGroup } from "./groups.routes.ts";
import { findGroup } from "./groups.store.ts";
import { poseOfPlace } from "./light-pose.ts";
import { requireLights, toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { joinGroup, listLights, setPoses, type LightRow } from "./lights.store.ts";
import { nextFreeAddress, packPatch, rangesIn } from "./patch.ts";
import { placeBeside } from "./place-beside.ts";

const LABEL = 200;

/** Changes of many lights at once: all of them or none. Locks: patch, then lights, then groups. */
export function severalMethods({ sql, fixtures }: LightsPorts) {
  return {
    addLights: async (request, context) => {
      const labels = labelsOf(request);
      const patchedAs = {
        light_type: request.lightType,
        mode: request.mode,
        channel_config: request.channelConfig ?? "",
      };
      requireChannelOrder(patchedAs.channel_config);
      const group = groupOf(request);
      const universe = request.universe || 1;
      const add = async (tx: Db) => {
        const channelCount = (await fixtures.requireMode(tx, patchedAs)).channels.length;
        const lights = await listLights(tx);
        const first =
          request.firstAddress === 0
            ? nextFreeAddress(lights, channelCount, universe, request.count)
            : requireStretch(lights, request, channelCount, universe);
        const before = group && "join" in group ? await findGroup(tx, group.join) : undefined;
        if (group && "join" in group && !before) throw notFound("Group", group.join);
        const wanted = labels.map((label, i) => ({
          label,
          patchedAs,
          channelCount,
          universe,
          address: first + i * channelCount,
        }));
        const ids = await insertAt(tx, lights, wanted);
        const groupId = group && ("join" in group ? group.join : await makeGroup(tx, group, ids));
        if (groupId && before) await joinGroup(tx, groupId, ids);
        await placeBeside(tx, before?.light_ids ?? [], lights, ids);
        await packPatch(tx);
        const added = (await listLights(tx)).filter(({ id }) => ids.includes(id));
        const after = groupId ? await getGroup(tx, groupId) : undefined;
        const answer = { lights: added.map(toLight), ...(after && { group: toGroup(after) }) };
        const what = { noun: "light", id: "all", verb: "added", after: namesOf(added), payload: { ids } };
        return done(answer, what, ...(after ? [groupEntry(before ? "updated" : "created", before, after)] : []));
      };
      return change(sql, requireCaller(context), add, ["patch"]);
    },

    placeLights: async (request, context) => {
      const ids = request.places.map(({ lightId }) => lightId);
      if (new Set(ids).size < ids.length) throw invalid("places: a light is named twice");
      const place = async (tx: Db) => {
        await requireLights(tx, ids);
        const before = new Map((await listLights(tx)).map((light) => [light.id, light]));
        const poses = request.places.map((one) => ({ id: one.lightId, ...poseOfPlace(one, before.get(one.lightId)!) }));
        await setPoses(tx, poses);
        const after = (await listLights(tx)).filter(({ id }) => ids.includes(id));
        const answer = { lights: after.map(toLight) };
        const moved = after.filter((light) => !isSamePose(light, before.get(light.id)!));
        if (moved.length === 0) return done(answer);
        return done(answer, { noun: "light", id: "all", verb: "placed", after: namesOf(moved), payload: { ids } });
      };
      return change(sql, requireCaller(context), place, ["patch"]);
    },
  } satisfies LightsMethods;
}

const POSE = ["pose_x", "pose_y", "pose_z", "hangs", "turn", "lean"] as const;
const isSamePose = (a: LightRow, b: LightRow): boolean => POSE.every((name) => a[name] === b[name]);

/** What the audit log keeps of many lights. */
const namesOf = (lights: readonly LightRow[]) => lights.map(({ id, label }) => `${id} ${label}`);

/** "Par 1" to "Par 8". @throws invalid_argument */
function labelsOf({ label, count, firstNumber }: AddLightsRequest): readonly string[] {
  const pattern = label.trim();
  if (pattern === "") throw invalid("Label is required");
  const numbers = Array.from({ length: count }, (_, i) => String((firstNumber || 1) + i));
  const labels = numbers.map((n) => (pattern.includes("#") ? pattern.replaceAll("#", n) : `${pattern} ${n}`));
  if (labels.some((each) => each.length > LABEL)) throw invalid(`label: at most ${LABEL} characters with its number`);
  return labels;
}

type JoinedGroup =
  | { readonly join: string }
  | { readonly id: string; readonly name: string; readonly type: GroupType }
  | undefined;

function groupOf({ groupId, newGroup }: AddLightsRequest): JoinedGroup {
  if (groupId !== "" && newGroup) throw invalid("Give groupId or newGroup, not both");
  if (groupId !== "") return { join: groupId };
  return (
    newGroup && {
      id: newGroup.id === "" ? "" : requireGroupId(newGroup.id),
      name: requireGroupName(newGroup.name),
      type: requireGroupType(newGroup.type),
    }
  );
}

/** The whole stretch from an address on. @throws out_of_range when it runs past 512 */
function requireStretch(
  lights: readonly LightRow[],
  { count, firstAddress }: AddLightsRequest,
  channelCount: number,
  universe: number,
): number {
  const end = firstAddress + count * channelCount - 1;
  if (end <= UNIVERSE_SLOTS) return firstAddress;
  const stretch = rangeInWords({ address: firstAddress, channelCount: count * channelCount });
  throw outOfRange(
    `${stretch} runs past ${UNIVERSE_SLOTS}. ${freeInWords(rangesIn(lights, universe), channelCount, count)}`,
  );
}
