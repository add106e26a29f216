import type { ConnectRouter } from "@connectrpc/connect";
import { ChatService } from "@followspot/contract/chat";

/** In the contract and behind its access rules; every method answers unimplemented until it is built. */
export function chatRoutes(router: ConnectRouter): void {
  router.service(ChatService, {});
}
