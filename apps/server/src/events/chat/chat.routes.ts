import type { ConnectRouter } from "@connectrpc/connect";
import { ChatService } from "@followspot/contract/chat";
import type { Sql } from "../../platform/database/database.ts";
import type { TellNow } from "../../platform/live-events/passing-envelopes.ts";
import { messageHandlers } from "./message.handlers.ts";
import { threadHandlers } from "./thread.handlers.ts";

export interface ChatPorts {
  readonly sql: Sql;
  /** Publishes without storing. */
  readonly tellNow: TellNow;
}

export function chatRoutes({ sql, tellNow }: ChatPorts): (router: ConnectRouter) => void {
  return (router) => router.service(ChatService, { ...threadHandlers(sql), ...messageHandlers(sql, tellNow) });
}
