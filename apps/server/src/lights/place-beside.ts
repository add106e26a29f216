import type { Db } from "../platform/database/database.ts";
import { posesBeside } from "./light-pose.ts";
import { setPoses, type LightRow } from "./lights.store.ts";

/** Places new lights of a group beside its last one. @param members IDs in stage order */
export async function placeBeside(
  tx: Db,
  members: readonly number[],
  lights: readonly LightRow[],
  ids: readonly number[],
): Promise<void> {
  const byId = new Map(lights.map((light) => [light.id, light]));
  const poses = posesBeside(
    members.flatMap((id) => byId.get(id) ?? []),
    ids.length,
  );
  if (poses.length > 0)
    await setPoses(
      tx,
      poses.map((pose, i) => ({ ...pose, id: ids[i]! })),
    );
}
