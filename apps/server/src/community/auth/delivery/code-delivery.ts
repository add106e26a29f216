import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Sql } from "../../../platform/database/database.ts";
import { every } from "../../../platform/every.ts";
import { newId } from "../../../platform/database/ids.ts";
import type { ChannelName, DeliveryChannels } from "./delivery-channels.ts";
import { putOutgoing, removeExpired, removeOutgoing, takeDue, tryAgainIn } from "./outgoing-codes.store.ts";

const LOOK_MS = 1000;
/** Maximum number of parallel deliveries. */
const MOST_AT_ONCE = 8;
/** Time for which a process holds a code, s; longer than a delivery may take. */
const HELD_SECONDS = 30;
/** Delays before the second, third and following attempts, s. */
const AGAIN_SECONDS = [2, 5, 15, 30];

export interface CodeDeliveryPorts {
  readonly sql: Sql;
  readonly channels: DeliveryChannels;
  /** Encrypts stored codes; at least 32 bytes. */
  readonly secret: Uint8Array;
  /** Name of the community, shown in the message. */
  readonly community: string;
  readonly warn: (message: string) => void;
  /** Prints a code for which no channel is configured. */
  readonly print: (line: string) => void;
}

/**
 * Delivers sign-in codes by mail or SMS, and retries until a code has expired. Without a configured channel, codes are
 * printed on the server's terminal.
 */
export class CodeDelivery {
  readonly #ports: CodeDeliveryPorts;
  readonly #key: Buffer;
  #endLoop: (() => void) | undefined;

  constructor(ports: CodeDeliveryPorts) {
    this.#ports = ports;
    this.#key = createHash("sha256").update("outgoing-codes\n").update(ports.secret).digest();
  }

  /** Checks the configured channels, logs failures, and starts sending. */
  start(): void {
    const { channels, warn } = this.#ports;
    for (const [name, channel] of Object.entries(channels))
      channel.check().catch((error: Error) => warn(`${WORDS[name as ChannelName].problem}: ${error.message}`));
    this.#endLoop = every(LOOK_MS, "sending sign-in codes", () => this.sendDue(), warn);
  }

  close(): void {
    this.#endLoop?.();
  }

  /** Returns where to find the code for this target, as text for the user. */
  whereTo(target: string): string {
    const channel = channelOf(target);
    return this.#ports.channels[channel]
      ? WORDS[channel].where
      : "ask an organizer for the code: no mail or SMS is set up here";
  }

  /** @param secondsLeft remaining validity of the code */
  async deliver(target: string, code: string, secondsLeft: number): Promise<void> {
    const { sql, channels, print } = this.#ports;
    const channel = channelOf(target);
    if (!channels[channel]) return print(`Sign-in code for ${target}: ${code}\n`);
    await putOutgoing(sql, { id: newId(), channel, target, sealed: this.#seal(code), seconds_left: secondsLeft });
    await this.sendDue();
  }

  /** Sends the codes that are due now. */
  async sendDue(): Promise<void> {
    const { sql, channels, community, warn } = this.#ports;
    const lost = await removeExpired(sql);
    if (lost > 0)
      warn(
        `${lost} sign-in ${lost === 1 ? "code has run out before it was" : "codes have run out before they were"} sent`,
      );
    const due = await takeDue(sql, MOST_AT_ONCE, HELD_SECONDS);
    await Promise.all(
      due.map(async ({ id, channel, target, sealed, tries, seconds_left }) => {
        try {
          const code = this.#open(sealed);
          if (code !== undefined) await channels[channel]?.send(target, textOf(code, community, seconds_left));
          await removeOutgoing(sql, id);
        } catch (error) {
          const seconds = AGAIN_SECONDS[Math.min(tries, AGAIN_SECONDS.length) - 1] ?? 0;
          warn(`${WORDS[channel].problem}: ${(error as Error).message}. Tried again in ${seconds} s.`);
          await tryAgainIn(sql, id, seconds);
        }
      }),
    );
  }

  /** Encrypts with AES-256-GCM: nonce, tag, text (NIST SP 800-38D). */
  #seal(code: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(code, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @returns undefined for text encrypted with another secret */
  #open(sealed: Buffer): string | undefined {
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return undefined;
    }
  }
}

const WORDS: Readonly<Record<ChannelName, { readonly where: string; readonly problem: string }>> = {
  mail: { where: "a code is on its way by mail", problem: "Sign-in codes cannot be mailed (FOLLOWSPOT_SMTP_URL)" },
  sms: {
    where: "a code is on its way by SMS",
    problem: "Sign-in codes cannot be sent by SMS (FOLLOWSPOT_SMS_WEBHOOK)",
  },
};

const channelOf = (target: string): ChannelName => (target.includes("@") ? "mail" : "sms");

function textOf(code: string, community: string, secondsLeft: number) {
  const minutes = Math.max(1, Math.floor(secondsLeft / 60));
  return {
    subject: `${code} is your ${community} sign-in code`,
    body:
      `${code} is your ${community} sign-in code. It works once, for ${minutes} ${minutes === 1 ? "minute" : "minutes"}.\n` +
      "If you did not ask for it, ignore this message: no one can sign in without it.",
  };
}
