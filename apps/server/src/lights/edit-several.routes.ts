import type { EditLightsRequest } from "@followspot/contract/lights";
import { messageOfAim } from "@followspot/contract/light-aim";
import { nameInWords, turned, UNAIMED } from "@followspot/lighting";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { alreadyExists, conflict, invalid, notFound } from "../platform/errors.ts";
import type { FixtureLibrary } from "./fixture-library.ts";
import { getGroup, groupEntry } from "./groups.routes.ts";
import { requireAim } from "./light-aim.ts";
import { requireLights, toLight } from "./light-message.ts";
import { lightEntry, requireGroups } from "./light.routes.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import * as store from "./lights.store.ts";
import type { LightRow } from "./lights.store.ts";
import { packPatch, requireAddress } from "./patch.ts";
import { formerLights, naming, rejoin } from "./restore-lights.ts";

/** Methods that change several lights, all or none. Lock order: patch, then lights, then groups. */
export function editSeveralMethods({ sql, fixtures }: LightsPorts) {
  return {
    editLights: async (request, context) => {
      const { ids, mode, enabled, joinGroups, leaveGroups } = request;
      const both = joinGroups.find((id) => leaveGroups.includes(id));
      if (both !== undefined) throw invalid(`They cannot join and leave the group ${both} at once`);
      const edit = async (tx: Db) => {
        await requireLights(tx, ids);
        await requireGroups(tx, [...joinGroups, ...leaveGroups]);
        const before = chosen(await store.listLights(tx), ids);
        const groupsBefore = await Promise.all([...joinGroups, ...leaveGroups].map((id) => getGroup(tx, id)));
        if (mode !== undefined) await setMode(tx, fixtures, before, mode);
        if (enabled !== undefined) await store.setEnabled(tx, ids, enabled);
        for (const group of joinGroups) await store.joinGroup(tx, group, ids);
        for (const group of leaveGroups) await store.leaveGroup(tx, group, ids);
        if (isAimed(request)) await setAims(tx, fixtures, before, mode, request);
        await store.touch(tx, ids);
        await packPatch(tx, { own: [], shown: request.shownMoves });
        const after = chosen(await store.listLights(tx), ids);
        const groups = await Promise.all(groupsBefore.map(({ id }) => getGroup(tx, id)));
        return done(
          { lights: after.map(toLight) },
          ...before.map((light, i) => lightEntry("updated", light, after[i])),
          ...groupsBefore.map((group, i) => groupEntry("updated", group, groups[i])),
        );
      };
      return change(sql, requireCaller(context), edit, ["patch"]);
    },

    deleteLights: async (request, context) => {
      const remove = async (tx: Db) => {
        await requireLights(tx, request.ids);
        const before = chosen(await store.listLights(tx), request.ids);
        await store.removeLights(tx, request.ids);
        await packPatch(tx, { own: [], shown: request.shownMoves });
        return done({ success: true }, ...before.map((light) => lightEntry("deleted", light, undefined)));
      };
      return change(sql, requireCaller(context), remove, ["patch"]);
    },

    restoreLights: async (request, context) => {
      const ids = request.lights.map(({ id }) => id);
      if (new Set(ids).size < ids.length) throw invalid("lights: a light is named twice");
      const restore = async (tx: Db) => {
        const last = await store.lastLightId(tx);
        const stranger = ids.find((id) => id < 1 || id > last);
        if (stranger !== undefined) throw notFound("Light", stranger);
        const [there] = chosen(await store.listLights(tx), ids);
        if (there) throw alreadyExists(`${nameInWords(there)} is there already`);
        await store.putBack(tx, await formerLights(tx, fixtures, request.lights));
        const groups = await rejoin(tx, request);
        await packPatch(tx);
        const after = chosen(await store.listLights(tx), ids);
        return done(
          { lights: after.map(toLight) },
          ...after.map((light) => lightEntry("restored", undefined, light)),
          ...groups,
        );
      };
      return change(sql, requireCaller(context), restore, ["patch"]);
    },
  } satisfies LightsMethods;
}

const chosen = (lights: readonly LightRow[], ids: readonly number[]): readonly LightRow[] => {
  const wanted = new Set(ids);
  return lights.filter(({ id }) => wanted.has(id));
};

const isAimed = ({ home, invertPan, invertTilt }: EditLightsRequest): boolean =>
  home !== undefined || invertPan !== undefined || invertTilt !== undefined;

async function setMode(tx: Db, fixtures: FixtureLibrary, lights: readonly LightRow[], mode: string): Promise<void> {
  const others = lights.filter((light) => light.mode !== mode);
  const modesOf = await fixtures.modesOf(
    tx,
    others.map((light) => ({ ...light, mode, channel_config: "" })),
  );
  const counts = others.map((light) => {
    const found = modesOf({ light_type: light.light_type, mode, channel_config: "" });
    if (!found) throw conflict(`${nameInWords(light)} has no mode ${mode}`);
    const count = found.channels.length;
    const override = light.dmx_override;
    if (override !== null) naming(light, () => requireAddress(override, count));
    return { id: light.id, count };
  });
  if (counts.length > 0) await store.setModes(tx, mode, counts);
}

async function setAims(
  tx: Db,
  fixtures: FixtureLibrary,
  lights: readonly LightRow[],
  mode: string | undefined,
  { home, invertPan, invertTilt }: EditLightsRequest,
): Promise<void> {
  const patchedAs = (light: LightRow) =>
    mode === undefined || mode === light.mode ? light : { light_type: light.light_type, mode, channel_config: "" };
  const modesOf = await fixtures.modesOf(tx, lights.map(patchedAs));
  for (const light of lights) {
    const turns = modesOf(patchedAs(light))?.channels.some(({ kind }) => kind === "pan" || kind === "tilt");
    if (!turns) throw conflict(`${nameInWords(light)} neither pans nor tilts`);
    const aim = turned(light.aim ?? UNAIMED, {
      ...(invertPan !== undefined && { invertPan }),
      ...(invertTilt !== undefined && { invertTilt }),
    });
    const wanted = messageOfAim({ ...aim, ...(home && { home: { pan: home.pan, tilt: home.tilt } }) });
    await store.setAim(
      tx,
      light.id,
      naming(light, () => requireAim(wanted)),
    );
  }
}
