import { requireCaller } from "../platform/caller.ts";
import { invalid } from "../platform/errors.ts";
import {
  foresee,
  foreseeGroups,
  importPatch,
  requireWorkspace,
  type ForeseenFixture,
  type ForeseenGroup,
} from "./import-patch.ts";
import { toLight } from "./light-message.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";

/** Methods for importing another program's patch: preview, then import as a whole. */
export function importPatchMethods({ sql }: LightsPorts) {
  return {
    importPatch: async (request, context) => {
      const workspace = await requireWorkspace(bytesOf(request.workspaceBase64));
      const groups = request.withoutGroups ? [] : workspace.groups;
      if (!request.apply) {
        const fixtures = (await foresee(sql, workspace.fixtures)).map(toImported);
        return { fixtures, groups: (await foreseeGroups(sql, groups)).map(toGroup) };
      }
      const { fixtures } = workspace;
      const patched = await importPatch(sql, requireCaller(context), { fixtures, groups }, request.fixtureIds);
      return {
        lights: patched.lights.map(toLight),
        groups: patched.groups.map(({ id, name }) => ({ groupId: id, name })),
      };
    },
  } satisfies LightsMethods;
}

function bytesOf(base64: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalid("workspaceBase64: is not base64");
  return new Uint8Array(Buffer.from(base64, "base64"));
}

const toGroup = ({ name, fixtureIds, groupId = "" }: ForeseenGroup) => ({ name, fixtureIds: [...fixtureIds], groupId });

const toImported = ({ fixture, state, problem, lightType, lightMode, libraryLamp }: ForeseenFixture) => ({
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
  isFromLibrary: libraryLamp !== undefined,
});
