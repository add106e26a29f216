import type { ConnectRouter } from "@connectrpc/connect";
import { LightsService } from "@followspot/contract/lights";
import { addressMethods } from "./addresses.routes.ts";
import { editSeveralMethods } from "./edit-several.routes.ts";
import { fixtureMethods } from "./fixtures.routes.ts";
import { groupMethods } from "./groups.routes.ts";
import { importPatchMethods } from "./import-patch.routes.ts";
import { lampLibraryMethods } from "./lamp-library.routes.ts";
import { lightMethods } from "./light.routes.ts";
import type { LightsPorts } from "./lights.ports.ts";
import { outputMethods } from "./outputs.routes.ts";
import { patternMethods } from "./patterns.routes.ts";
import { severalMethods } from "./several.routes.ts";

/** LightsService: each resource in its own file. */
export function lightsRoutes(ports: LightsPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(LightsService, {
      ...lightMethods(ports),
      ...severalMethods(ports),
      ...editSeveralMethods(ports),
      ...importPatchMethods(ports),
      ...addressMethods(ports),
      ...groupMethods(ports),
      ...fixtureMethods(ports),
      ...lampLibraryMethods(ports),
      ...outputMethods(ports),
      ...patternMethods(ports),
    });
}
