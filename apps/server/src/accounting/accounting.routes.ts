import type { ConnectRouter } from "@connectrpc/connect";
import { AccountingService } from "@followspot/contract/accounting";

/** In the contract and behind its access rules; every method answers unimplemented until it is built. */
export function accountingRoutes(router: ConnectRouter): void {
  router.service(AccountingService, {});
}
