import type { ServiceImpl } from "@connectrpc/connect";
import type { QueuesService } from "@followspot/contract/queues";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/change.ts";
import type { Sql } from "../platform/database.ts";
import { conflict, invalid } from "../platform/errors.ts";
import { insertMessages } from "../platform/outbox.ts";
import { askBroker, type BrokerPort } from "./broker-port.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { bodyOf } from "./message-body.ts";
import { findMessage } from "./message.handlers.ts";
import { whyNotSent, withSecrets } from "./replay-rules.ts";

/** Sends a message once more, as an Admin has edited it. */
export function replayHandlers(sql: Sql, broker: BrokerPort): Pick<ServiceImpl<typeof QueuesService>, "replayMessage"> {
  return {
    async replayMessage({ stream, sequence, body, replayId }, context) {
      const message = await askBroker(broker, (found) => findMessage(found, stream, Number(sequence)));
      const { subject, json: original } = message;
      if (original === undefined) throw conflict("Only messages that are JSON can be edited and sent again.");
      if (bodyOf(message).isCut) throw conflict("This message is too long to be edited here.");
      const shown = hideSecrets(subject, original);
      const edited = withSecrets(parsed(body), shown, original);
      const problem = whyNotSent(subject, edited, original);
      if (problem !== undefined) throw invalid(`body: ${problem}`);
      return change(sql, requireCaller(context), async (tx) => {
        // Through the outbox: sent when it is written down who did it, and once, however often it is asked for.
        await insertMessages(tx, [{ id: replayId, subject, body: JSON.stringify(edited) }]);
        const after = { ...asRow(hideSecrets(subject, edited)), replayed_message: Number(sequence) };
        const entry = { noun: "message_queue", id: stream, verb: "replayed", topics: [] };
        return done({ subject }, { ...entry, before: asRow(shown), after });
      });
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw invalid("body: must be JSON");
  }
}

/** For the audit log, which keeps what differs field by field. */
const asRow = (data: unknown): object =>
  typeof data === "object" && data !== null && !Array.isArray(data) ? data : { body: data };
