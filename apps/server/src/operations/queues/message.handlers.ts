import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  MessageLineSchema,
  MessageSchema,
  type ListMessagesRequest,
  type Message,
  type QueuesService,
} from "@followspot/contract/queues";
import type { Sql } from "../../platform/database/database.ts";
import { missing, notFound } from "../../platform/errors.ts";
import type { Broker } from "../../platform/broker/nats.ts";
import { dateOf, timestampOf } from "../../platform/database/timestamps.ts";
import { askBroker, type BrokerPort } from "./broker-port.ts";
import { failedJob } from "./failed-job.ts";
import { hideHeader, hideSecrets } from "./hide-secrets.ts";
import { bodyOf, previewOf } from "./message-body.ts";
import { readMessages, type PageFrom } from "./message-pages.ts";
import { ruleOf } from "./queue-rules.ts";
import { readMessage, type ReadMessage } from "./stream-messages.ts";

const MESSAGES_OF_A_PAGE = 50;

/** Methods for reading messages in the streams. */
export function messageHandlers(
  sql: Sql,
  broker: BrokerPort,
): Pick<ServiceImpl<typeof QueuesService>, "listMessages" | "getMessage"> {
  return {
    async listMessages({ stream, subject, from, pageSize }) {
      requireStream(stream);
      const query = { stream, subject: subject || ">", from: fromOf(from), size: pageSize || MESSAGES_OF_A_PAGE };
      const page = await askBroker(broker, (found) => readMessages(found, query));
      return {
        messages: page.messages.map((message) =>
          create(MessageLineSchema, { ...whatAndWhen(message), preview: previewOf(message) }),
        ),
        olderBefore: BigInt(page.olderBefore),
        newerAfter: BigInt(page.newerAfter),
        firstSequence: BigInt(page.first),
        lastSequence: BigInt(page.last),
      };
    },

    async getMessage({ stream, sequence }) {
      const message = await askBroker(broker, (found) => findMessage(found, stream, Number(sequence)));
      const job = await failedJob(sql, message);
      return { message: toMessage(message, job && JSON.stringify(hideSecrets(message.subject, job), null, 2)) };
    },
  };
}

/** @throws not_found for an unknown stream or a deleted message */
export async function findMessage({ jsm }: Broker, stream: string, sequence: number): Promise<ReadMessage> {
  requireStream(stream);
  const message = await jsm.streams.getMessage(stream, { seq: sequence });
  if (!message) throw missing(`Message ${sequence} of ${stream} is not there any more.`);
  return readMessage(message);
}

/** Rejects foreign streams of the broker, whose secrets are unknown. */
export function requireStream(stream: string): void {
  if (!ruleOf(stream)) throw notFound("Followspot's stream", stream);
}

function fromOf({ case: kind, value }: ListMessagesRequest["from"]): PageFrom | undefined {
  switch (kind) {
    case "before":
    case "after":
      return { case: kind, value: Number(value) };
    case "until":
      return { case: kind, value: dateOf(value, "until") };
    default:
      return kind;
  }
}

function toMessage(message: ReadMessage, job: string | undefined): Message {
  const headers = message.headers.map(({ name, value }) => ({
    name,
    value: hideHeader(message.subject, name, value),
  }));
  return create(MessageSchema, { ...whatAndWhen(message), headers, ...bodyOf(message), job });
}

const whatAndWhen = ({ sequence, subject, at, bytes }: ReadMessage) => ({
  sequence: BigInt(sequence),
  subject,
  at: timestampOf(at),
  bytes: bytes.length,
});
