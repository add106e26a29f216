import type { ServiceImpl } from "@connectrpc/connect";
import { STREAMS, subjects } from "@followspot/contract";
import type { QueuesService } from "@followspot/contract/queues";
import { retrySong } from "../../songs/library/change-song.ts";
import { parseLink, refuseLink } from "../../songs/processing/video-link.ts";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict, invalid } from "../../platform/errors.ts";
import { insertMessages } from "../../platform/database/outbox.ts";
import { askBroker, type BrokerPort } from "./broker-port.ts";
import { failedJob, readJob } from "./failed-job.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { bodyOf } from "./message-body.ts";
import { findMessage } from "./message.handlers.ts";
import { whyNotSent, withSecrets } from "./replay-rules.ts";
import type { ReadMessage } from "./stream-messages.ts";

/**
 * Sends a message once more, as an Admin has edited it. A failure is never written again: its job is started anew.
 * @param linkSites sites whose links are taken beside the video site's
 */
export function replayHandlers(
  sql: Sql,
  broker: BrokerPort,
  linkSites: readonly string[],
): Pick<ServiceImpl<typeof QueuesService>, "replayMessage"> {
  const startAgain = async (caller: Caller, message: ReadMessage, body: string) => {
    const original = await failedJob(sql, message);
    if (!original) throw conflict("This failure names no song that could be started again.");
    const { subject } = message;
    const job = readJob(withSecrets(parsed(body), hideSecrets(subject, original), original), original);
    if (typeof job === "string") throw invalid(`body: ${job}`);
    const link = job.url === undefined ? undefined : parseLink(job.url, linkSites);
    if (job.url !== undefined && job.url !== original.url && !link) throw invalid(`body: url: ${refuseLink(job.url)}`);
    await retrySong(sql, caller, job.song_id, job.step, job.url === original.url ? undefined : link);
    return { subject: subjects.job(job.step) };
  };
  return {
    async replayMessage({ stream, sequence, body, replayId }, context) {
      const message = await askBroker(broker, (found) => findMessage(found, stream, Number(sequence)));
      if (stream === STREAMS.failures.name) return startAgain(requireCaller(context), message, body);
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
