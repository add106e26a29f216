import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { STREAMS } from "@followspot/contract";
import {
  FailureGroupSchema,
  FailureSchema,
  QueuesService,
  type Failure as FailureMessage,
} from "@followspot/contract/queues";
import { requireCaller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { askBroker, type BrokerPort } from "./broker-port.ts";
import { dismissFailures, namedFailures } from "./dismiss-failures.ts";
import { failuresOf, groupFailures, type FailureGroup } from "./failure-groups.ts";
import { FailureLog, type Failure } from "./failure-log.ts";
import { MOST_BYTES } from "./message-body.ts";
import { messageHandlers } from "./message.handlers.ts";
import { queueHandlers } from "./queue.handlers.ts";
import type { Presence } from "./presence.ts";
import { replayHandlers } from "./replay.handlers.ts";
import { retryFailures } from "./retry-failures.ts";
import { workerHandlers } from "./worker.handlers.ts";

export interface QueuesPorts {
  readonly sql: Sql;
  readonly broker: BrokerPort;
  /** Sites whose links are accepted in addition to the video site's. */
  readonly linkSites?: readonly string[];
  /** Workers connected to this broker. */
  readonly presence: Pick<Presence, "list">;
}

const GROUPS_OF_A_PAGE = 50;
const FAILURES_OF_A_PAGE = 20;
/** Most reasons of dismissed failures in an audit entry. */
const REASONS_KEPT = 5;
/** Most retries per call; each is a separate transaction. */
const RETRIES_OF_A_CALL = 100;

export function queuesRoutes({ sql, broker, presence, linkSites = [] }: QueuesPorts): (router: ConnectRouter) => void {
  const log = new FailureLog();
  const readFailures = () => askBroker(broker, (found) => log.read(found));

  return (router) =>
    router.service(QueuesService, {
      ...messageHandlers(sql, broker),
      ...queueHandlers(sql, broker),
      ...replayHandlers(sql, broker, linkSites),
      ...workerHandlers(sql, presence),

      async listFailureGroups({ query, pageSize, pageToken }) {
        const groups = groupFailures(await readFailures(), query);
        // After the newest failure of the last group, so that new failures move no group to the next page.
        const before = pageToken === "" ? Infinity : Number(pageToken);
        const left = groups.filter(({ newest }) => newest.sequence < before);
        const shown = left.slice(0, pageSize || GROUPS_OF_A_PAGE);
        return {
          groups: shown.map(toGroup),
          nextPageToken: shown.length < left.length ? String(shown.at(-1)?.newest.sequence) : "",
          failures: groups.reduce((sum, { failures }) => sum + failures.length, 0),
          totalGroups: groups.length,
        };
      },

      async listFailures({ key, query, before, pageSize }) {
        const ofGroup = failuresOf(await readFailures(), key, query);
        const { shown, nextBefore } = pageOf(ofGroup, before, pageSize || FAILURES_OF_A_PAGE);
        return { failures: shown.map(toFailure), nextBefore };
      },

      async dismissFailures(request, context) {
        if (request.sequences.length === 0 && request.causes.length === 0)
          throw invalid("sequences: name at least one failure or cause");
        const named = namedFailures(await readFailures(), request);
        return change(sql, requireCaller(context), async () => {
          const dismissed = await askBroker(broker, (found) => dismissFailures(found, named));
          const reasons = [...new Set(named.map(({ reason }) => reason))].slice(0, REASONS_KEPT);
          const after = { failures: dismissed, reasons };
          const entry = {
            noun: "message_queue",
            id: STREAMS.failures.name,
            verb: "failures_dismissed",
            after,
            topics: [],
          };
          return dismissed > 0 ? done({ dismissed }, entry) : done({ dismissed });
        });
      },

      async retryFailures({ key, query, before }, context) {
        const ofGroup = failuresOf(await readFailures(), key, query);
        const { shown, nextBefore } = pageOf(ofGroup, before, RETRIES_OF_A_CALL);
        return { ...(await retryFailures(sql, requireCaller(context), shown)), nextBefore };
      },
    });
}

/** @param failures newest first @param before 0n to start with the newest */
function pageOf(failures: readonly Failure[], before: bigint, size: number) {
  const left = before === 0n ? failures : failures.filter(({ sequence }) => sequence < before);
  const shown = left.slice(0, size);
  return { shown, nextBefore: BigInt(shown.length < left.length ? (shown.at(-1)?.sequence ?? 0) : 0) };
}

function toGroup({ key, newest, failures }: FailureGroup) {
  return create(FailureGroupSchema, {
    key,
    subject: newest.subject,
    reason: newest.reason,
    count: failures.length,
    firstAt: timestampOf((failures.at(-1) ?? newest).at),
    lastAt: timestampOf(newest.at),
    newest: toFailure(newest),
    retryable: failures.filter(({ target }) => target).length,
  });
}

function toFailure({ sequence, subject, at, data, target }: Failure): FailureMessage {
  return create(FailureSchema, {
    sequence: BigInt(sequence),
    subject,
    at: timestampOf(at),
    data: JSON.stringify(data).slice(0, MOST_BYTES),
    songId: target?.songId ?? "",
    step: target?.step ?? "",
  });
}
