import { requireCaller } from "../platform/caller.ts";
import { invalid } from "../platform/errors.ts";
import { foresee, importPatch, requireWorkspace, type ForeseenFixture } from "./import-patch.ts";
import { toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";

/** The patch of another program, shown first and then taken as a whole. */
export function importPatchMethods({ sql }: LightsPorts) {
  return {
    importPatch: async (request, context) => {
      const fixtures = await requireWorkspace(bytesOf(request.workspaceBase64));
      if (!request.apply) return { fixtures: (await foresee(sql, fixtures)).map(toImported) };
      const lights = await importPatch(sql, requireCaller(context), fixtures, request.fixtureIds);
      return { lights: lights.map(toLight) };
    },
  } satisfies LightsMethods;
}

function bytesOf(base64: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid("workspace_base64: is not base64");
  return new Uint8Array(Buffer.from(base64, "base64"));
}

const toImported = ({ fixture, state, problem, lightType, lightMode }: ForeseenFixture) => ({
  id: fixture.id,
  name: fixture.name,
  manufacturer: fixture.manufacturer,
  model: fixture.model,
  mode: fixture.mode,
  universe: fixture.universe,
  address: fixture.address,
  channelCount: fixture.channelCount,
  state,
  problem,
  lightType,
  lightMode,
});
