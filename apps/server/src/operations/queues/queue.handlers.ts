import type { ServiceImpl } from "@connectrpc/connect";
import type { QueuesService } from "@followspot/contract/queues";
import { pauseQueue, resumeQueue, type QueuePause } from "../../songs/processing/queue-pauses.store.ts";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict, invalid, notFound } from "../../platform/errors.ts";
import { dateOf, timestampOf } from "../../platform/database/timestamps.ts";
import { askBroker, type BrokerPort } from "./broker-port.ts";
import { ruleOf } from "./queue-rules.ts";

const LONGEST_PAUSE_MS = 24 * 3600_000;

/** Methods that act on a whole queue, with audit entries. */
export function queueHandlers(
  sql: Sql,
  broker: BrokerPort,
): Pick<ServiceImpl<typeof QueuesService>, "pauseQueue" | "resumeQueue" | "purgeQueue"> {
  return {
    async pauseQueue({ queue, until: given }, context) {
      const { whyNotPaused } = requireRule(queue);
      if (whyNotPaused) throw conflict(whyNotPaused);
      const until = given && dateOf(given, "until");
      if (!until || until.getTime() <= Date.now()) throw invalid("until: must lie in the future");
      if (until.getTime() > Date.now() + LONGEST_PAUSE_MS) throw invalid("until: a pause lasts a day at most");
      return change(sql, requireCaller(context), async (tx) => {
        const before = await pauseQueue(tx, { queue, until });
        return done({ until: timestampOf(until) }, entryOf(queue, "paused", untilOf(before), { until }));
      });
    },

    async resumeQueue({ queue }, context) {
      requireRule(queue);
      return change(sql, requireCaller(context), async (tx) => {
        const before = await resumeQueue(tx, queue);
        return before ? done({}, entryOf(queue, "resumed", untilOf(before))) : done({});
      });
    },

    async purgeQueue({ queue, confirmName }, context) {
      const { whyNotPurged } = requireRule(queue);
      if (whyNotPurged) throw conflict(whyNotPurged);
      if (confirmName !== queue) throw invalid(`confirmName: must be ${queue}`);
      return change(sql, requireCaller(context), async () => {
        const { purged } = await askBroker(broker, ({ jsm }) => jsm.streams.purge(queue));
        return done({ purged }, entryOf(queue, "purged", undefined, { messages: purged }));
      });
    },
  };
}

function requireRule(queue: string) {
  const rule = ruleOf(queue);
  if (!rule) throw notFound("Followspot's queue", queue);
  return rule;
}

/** Builds an audit entry without topics, because the Workers page polls. */
function entryOf(queue: string, verb: string, before?: object, after?: object): Entry {
  return { noun: "message_queue", id: queue, verb, before, after, topics: [] };
}

const untilOf = (pause: QueuePause | undefined) => pause && { until: pause.until };
