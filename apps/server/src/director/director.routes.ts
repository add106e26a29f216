import type { ConnectRouter } from "@connectrpc/connect";
import { DirectorService } from "@followspot/contract/director";

/** In the contract and behind its access rules; every method answers unimplemented until it is built. */
export function directorRoutes(router: ConnectRouter): void {
  router.service(DirectorService, {});
}
