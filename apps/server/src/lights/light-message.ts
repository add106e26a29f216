import { create } from "@bufbuild/protobuf";
import { messageOfAim } from "@followspot/contract/light-aim";
import { LightSchema, type Light } from "@followspot/contract/lights";
import type { Db } from "../platform/database/database.ts";
import { notFound } from "../platform/errors.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import { messageOfPose } from "./light-pose.ts";
import { missingLights, type LightRow } from "./lights.store.ts";

export function toLight(row: LightRow): Light {
  return create(LightSchema, {
    id: row.id,
    label: row.label,
    dmxAddress: row.dmx_address,
    dmxOverride: row.dmx_override ?? undefined,
    lightType: row.light_type,
    mode: row.mode,
    channelConfig: row.channel_config,
    position: row.position === null ? "" : String(row.position),
    enabled: row.enabled,
    groupId: row.groups[0],
    groups: row.groups,
    createdAt: timestampOf(row.created_at),
    updatedAt: timestampOf(row.updated_at),
    universe: row.universe,
    channelCount: row.channel_count,
    hazeInShows: row.haze_in_shows,
    ...messageOfPose(row),
    ...(row.aim && { aim: messageOfAim(row.aim) }),
  });
}

/** @throws not_found for the first light that does not exist */
export async function requireLights(db: Db, ids: readonly number[]): Promise<void> {
  const [missing] = await missingLights(db, ids);
  if (missing !== undefined) throw notFound("Light", missing);
}
