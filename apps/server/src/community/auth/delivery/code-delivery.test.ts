import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { MailServer } from "../../../testing/mail-server.ts";
import { CodeDelivery } from "./code-delivery.ts";
import { deliveryChannels } from "./delivery-channels.ts";
import { openUntil } from "../../../testing/open-until.ts";

const TEN_MINUTES = 600;
const SECRET = new TextEncoder().encode("a secret of thirty-two bytes or more");
let mail: MailServer;
const warnings: string[] = [];
const printed: string[] = [];

const database = openUntil(afterAll, await createTestDatabase());
beforeEach(async () => {
  mail = openUntil(onTestFinished, await MailServer.listen());
  warnings.length = printed.length = 0;
  await database.sql`delete from outgoing_codes`;
});

type ChannelSettings = Partial<Parameters<typeof deliveryChannels>[0]>;

function delivery(more: ChannelSettings = {}, secret = SECRET, community = "Followspot") {
  const smtp = { FOLLOWSPOT_SMTP_URL: `smtp://127.0.0.1:${mail.port}`, FOLLOWSPOT_MAIL_FROM: "night@example.org" };
  const made = new CodeDelivery({
    sql: database.sql,
    channels: deliveryChannels({ FOLLOWSPOT_COMMUNITY_NAME: community, ...smtp, ...more }, 300),
    secret,
    community,
    warn: (message) => warnings.push(message),
    print: (line) => printed.push(line),
  });
  openUntil(onTestFinished, made);
  return made;
}
const waiting = () => database.sql`select tries, sealed from outgoing_codes`;
const makeDue = () => database.sql`update outgoing_codes set next_try_at = now()`;

describe("a code by mail", () => {
  test("is delivered with its explanation, and is not stored afterwards", async () => {
    await delivery().deliver("ada@example.org", "123456", TEN_MINUTES);
    expect(mail.messages).toHaveLength(1);
    expect(mail.messages[0]!.to).toBe("ada@example.org");
    expect(mail.messages[0]!.text).toContain("Subject: 123456 is your Followspot sign-in code");
    expect(mail.messages[0]!.text).toContain("From: Followspot <night@example.org>");
    expect(mail.messages[0]!.text).toContain("It works once, for 10 minutes.");
    expect(await waiting()).toHaveLength(0);
    expect(printed).toEqual([]);
  });

  test("names the community, and states the remaining validity of a repeated code", async () => {
    await delivery({}, SECRET, "Wharf Nights").deliver("ada@example.org", "123456", 361);
    const { text } = mail.messages[0]!;
    expect(text).toContain("Subject: 123456 is your Wharf Nights sign-in code");
    expect(text).toContain("From: Wharf Nights <night@example.org>");
    expect(text).toContain("123456 is your Wharf Nights sign-in code. It works once, for 6 minutes.");
    expect(text).not.toContain("Followspot");
  });

  // kept: Doors | After an outage of the mail server every code asked for meanwhile was sent | failed on the old code
  test("is sent once after an outage of the mail server: only the newest code of each user", async () => {
    mail.mode = "refuses";
    const sent = delivery();
    for (const code of ["111111", "222222", "333333"]) await sent.deliver("ada@example.org", code, TEN_MINUTES);
    await sent.deliver("bea@example.org", "444444", TEN_MINUTES);
    mail.mode = "takes";
    await makeDue();
    await sent.sendDue();
    const said = mail.messages.map(({ to, text }) => [to, /Subject: (\d+)/.exec(text)?.[1]]);
    expect(said.toSorted()).toEqual([
      ["ada@example.org", "333333"],
      ["bea@example.org", "444444"],
    ]);
  });

  test.each(["hangs", "refuses", "closes", "speaks HTTP"] as const)(
    "is retried when the mail server %s",
    async (mode) => {
      mail.mode = mode;
      const sent = delivery();
      await sent.deliver("ada@example.org", "123456", TEN_MINUTES);
      expect(warnings[0]).toMatch(/^Sign-in codes cannot be mailed \(FOLLOWSPOT_SMTP_URL\): .*Tried again in 2 s\.$/);
      expect(await waiting()).toMatchObject([{ tries: 1 }]);
      mail.mode = "takes";
      await sent.sendDue();
      expect(mail.messages).toHaveLength(0); // not due yet
      await makeDue();
      await sent.sendDue();
      expect(mail.messages).toHaveLength(1);
    },
  );

  test("survives a restart in encrypted form", async () => {
    mail.mode = "refuses";
    await delivery().deliver("ada@example.org", "987654", TEN_MINUTES);
    const [row] = await waiting();
    expect(Buffer.from(row!.sealed).toString("latin1")).not.toContain("987654");
    mail.mode = "takes";
    await makeDue();
    await delivery().sendDue();
    expect(mail.messages[0]!.text).toContain("987654");
  });

  test("is sent once by several processes", async () => {
    mail.mode = "refuses";
    await delivery().deliver("ada@example.org", "123456", TEN_MINUTES);
    mail.mode = "takes";
    await makeDue();
    await Promise.all(Array.from({ length: 6 }, () => delivery().sendDue()));
    expect(mail.messages).toHaveLength(1);
  });

  test("is dropped with a warning if expired, and dropped if encrypted with another secret", async () => {
    mail.mode = "refuses";
    const sent = delivery();
    await sent.deliver("ada@example.org", "123456", TEN_MINUTES);
    await database.sql`update outgoing_codes set expires_at = now()`;
    await sent.sendDue();
    expect(warnings.at(-1)).toBe("1 sign-in code has run out before it was sent");
    await sent.deliver("ada@example.org", "123456", TEN_MINUTES);
    mail.mode = "takes";
    await makeDue();
    await delivery({}, new TextEncoder().encode("another secret of thirty-two bytes")).sendDue();
    expect(mail.messages).toHaveLength(0);
    expect(await waiting()).toHaveLength(0);
  });

  test("is sent only to its address, whatever characters that contains", async () => {
    const sent = delivery();
    await sent.deliver('"x\r\nRCPT TO:<eve@example.org>"@example.org', "123456", TEN_MINUTES).catch(() => undefined);
    expect(mail.messages.filter(({ to }) => to === "eve@example.org")).toHaveLength(0);
  });
});

describe("a code by SMS", () => {
  async function gateway(status = 200) {
    const asked: { body: string; authorization: string | undefined }[] = [];
    const server = createHttpServer(async (request: IncomingMessage, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      if (request.method === "POST") asked.push({ body, authorization: request.headers.authorization });
      response.writeHead(status).end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send` };
  }

  test("is posted to the gateway with its token", async () => {
    const { asked, url } = await gateway();
    await delivery({ FOLLOWSPOT_SMS_WEBHOOK: url, FOLLOWSPOT_SMS_TOKEN: "geheim" }).deliver(
      "+4930123456",
      "123456",
      TEN_MINUTES,
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]!.authorization).toBe("Bearer geheim");
    const text = expect.stringContaining("123456 is your Followspot sign-in code");
    expect(JSON.parse(asked[0]!.body)).toMatchObject({ to: "+4930123456", text });
  });

  test("is retried after a rejection by the gateway", async () => {
    const { url } = await gateway(503);
    await delivery({ FOLLOWSPOT_SMS_WEBHOOK: url }).deliver("+4930123456", "123456", TEN_MINUTES);
    expect(warnings[0]).toContain("the SMS gateway answered 503");
    expect(await waiting()).toMatchObject([{ tries: 1 }]);
  });
});

describe("delivery channels", () => {
  test("are checked at startup, and failures name the setting", async () => {
    mail.mode = "hangs";
    delivery({ FOLLOWSPOT_SMS_WEBHOOK: "http://127.0.0.1:1/" }).start();
    for (let tries = 0; warnings.length < 2 && tries < 100; tries++) await sleep(20);
    expect(warnings.toSorted()[0]).toMatch(/^Sign-in codes cannot be mailed \(FOLLOWSPOT_SMTP_URL\): \w/);
    expect(warnings.toSorted()[1]).toMatch(/^Sign-in codes cannot be sent by SMS \(FOLLOWSPOT_SMS_WEBHOOK\): \w/);
  });

  // kept: Doors | Guests were told to look at the server's terminal for their code | failed on the old code
  test("report where to find a code; without a channel, codes are printed on the terminal", async () => {
    const sent = delivery();
    expect(sent.whereTo("ada@example.org")).toBe("a code is on its way by mail");
    expect(sent.whereTo("+4930123456")).toBe("ask an organizer for the code: no mail or SMS is set up here");
    await sent.deliver("+4930123456", "123456", TEN_MINUTES);
    expect(printed).toEqual(["Sign-in code for +4930123456: 123456\n"]);
    expect(await waiting()).toHaveLength(0);
  });
});
