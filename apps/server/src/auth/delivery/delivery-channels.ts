import { createTransport } from "nodemailer";
import type { Settings } from "../../platform/settings.ts";

/** How a code reaches its person. */
export type ChannelName = "mail" | "sms";

export interface DeliveryChannel {
  /** @throws Error when the other side does not take it */
  readonly send: (target: string, text: CodeText) => Promise<void>;
  /** Tried at the start. @throws Error that says what does not work */
  readonly check: () => Promise<void>;
}

export interface CodeText {
  readonly subject: string;
  readonly body: string;
}

/** What is not set is absent: its codes are printed on the server's terminal. */
export type DeliveryChannels = Readonly<Partial<Record<ChannelName, DeliveryChannel>>>;

/** A mail server or gateway that hangs is given up after this. */
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

/** The community's name in front of the address, unless the setting gives a name itself: `Night <night@example.org>`. */
const senderOf = (address: string, name: string) => (address.includes("<") ? address : { name, address });

/** @param url smtp:// or smtps://, with user and password where the server wants them */
function mailChannel(url: string, from: ReturnType<typeof senderOf>, answerMs: number): DeliveryChannel {
  const transport = createTransport({
    url,
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
  });
  return {
    check: async () => void (await transport.verify()),
    // As an object the address is taken as it is, and not read as a list.
    send: async (address, { subject, body }) =>
      void (await transport.sendMail({ from, to: { name: "", address }, subject, text: body })),
  };
}

/** Posts `{to, text}` as JSON; any answer of 200 to 299 says that it was taken. */
function smsChannel(webhook: string, token: string, answerMs: number): DeliveryChannel {
  const ask = async (init: RequestInit): Promise<Response> => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const signal = AbortSignal.timeout(answerMs);
    return fetch(webhook, { ...init, headers, signal, redirect: "error" });
  };
  return {
    // A gateway cannot be tried without a message: an answer of any kind is enough.
    check: async () => void (await ask({ method: "HEAD" })),
    send: async (to, { body }) => {
      const answer = await ask({ method: "POST", body: JSON.stringify({ to, text: body }) });
      if (!answer.ok) throw new Error(`the SMS gateway answered ${answer.status}`);
    },
  };
}
