import { createTransport } from "nodemailer";
import type { Settings } from "../../../platform/settings.ts";

/** Delivery channel of a code. */
export type ChannelName = "mail" | "sms";

export interface DeliveryChannel {
  /** @throws Error if the other side rejects the message */
  readonly send: (target: string, text: CodeText) => Promise<void>;
  /** Checks the channel at startup. @throws Error that describes the failure */
  readonly check: () => Promise<void>;
}

export interface CodeText {
  readonly subject: string;
  readonly body: string;
}

/** Configured channels; codes of the others are printed on the server's terminal. */
export type DeliveryChannels = Readonly<Partial<Record<ChannelName, DeliveryChannel>>>;

/** Timeout for a mail server or gateway, ms. */
const ANSWER_MS = 10_000;

export function deliveryChannels(
  settings: Pick<
    Settings,
    | "FOLLOWSPOT_COMMUNITY_NAME"
    | "FOLLOWSPOT_SMTP_URL"
    | "FOLLOWSPOT_MAIL_FROM"
    | "FOLLOWSPOT_SMS_WEBHOOK"
    | "FOLLOWSPOT_SMS_TOKEN"
  >,
  answerMs = ANSWER_MS,
): DeliveryChannels {
  const { FOLLOWSPOT_SMTP_URL: smtp, FOLLOWSPOT_SMS_WEBHOOK: webhook } = settings;
  const from = senderOf(settings.FOLLOWSPOT_MAIL_FROM ?? "", settings.FOLLOWSPOT_COMMUNITY_NAME);
  return {
    ...(smtp && { mail: mailChannel(smtp, from, answerMs) }),
    ...(webhook && { sms: smsChannel(webhook, settings.FOLLOWSPOT_SMS_TOKEN ?? "", answerMs) }),
  };
}

/**
 * Adds the community's name to the sender address, unless the setting already has a name: `Night <night@example.org>`.
 */
const senderOf = (address: string, name: string) => (address.includes("<") ? address : { name, address });

/** @param url smtp:// or smtps://, with user and password if the server requires them */
function mailChannel(url: string, from: ReturnType<typeof senderOf>, answerMs: number): DeliveryChannel {
  const transport = createTransport({
    url,
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
  });
  return {
    check: async () => void (await transport.verify()),
    // Passed as an object, the address is used verbatim and not parsed as a list.
    send: async (address, { subject, body }) =>
      void (await transport.sendMail({ from, to: { name: "", address }, subject, text: body })),
  };
}

/** Posts `{to, text}` as JSON; any status from 200 to 299 means accepted. */
function smsChannel(webhook: string, token: string, answerMs: number): DeliveryChannel {
  const ask = async (init: RequestInit): Promise<Response> => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const signal = AbortSignal.timeout(answerMs);
    return fetch(webhook, { ...init, headers, signal, redirect: "error" });
  };
  return {
    // A gateway cannot be checked without sending a message; any response is enough.
    check: async () => void (await ask({ method: "HEAD" })),
    send: async (to, { body }) => {
      const answer = await ask({ method: "POST", body: JSON.stringify({ to, text: body }) });
      if (!answer.ok) throw new Error(`the SMS gateway answered ${answer.status}`);
    },
  };
}
