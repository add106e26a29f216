import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { findNatsServer, startNats, type RunningNats } from "../../operations/supervisor/nats.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { connectBroker, leaveBroker, type Broker } from "./nats.ts";

const folder = await folderUntil(afterAll);
const start = async (url?: string) =>
  startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {}, url);
let nats: RunningNats;
let rightUrl: string;
let refusals: number;
let returns: number;
beforeEach(async () => {
  [refusals, returns] = [0, 0];
  nats = await start();
  rightUrl = nats.url;
  onTestFinished(() => nats.stop());
});

/** Restarts the broker on the same port with this password. */
async function restartWith(password: string): Promise<void> {
  await nats.stop();
  const url = new URL(rightUrl);
  url.password = password;
  nats = await start(url.href);
}

const connect = () =>
  connectBroker(rightUrl, "test", { onRefusal: () => refusals++, onReturn: () => returns++ }).then((broker) =>
    openUntil(onTestFinished, broker, leaveBroker),
  );
const publishes = (broker: Broker) =>
  broker.connection.flush().then(
    () => broker.isUp(),
    () => false,
  );
const until = (isTrue: () => unknown) => expect.poll(isTrue, { timeout: 60_000 }).toBe(true);

// kept: Live | After a broker had refused the password twice, the API never reconnected, even once the password was
// accepted | failed on the old code
test("reconnects once a broker accepts the password that it had refused in between", async () => {
  const broker = await connect();
  await restartWith("another-password");
  await until(() => refusals >= 4 || broker.connection.isClosed());
  expect([broker.connection.isClosed(), broker.isUp()]).toEqual([false, false]);
  await restartWith(new URL(rightUrl).password);
  await until(() => broker.isUp());
  await until(() => publishes(broker));
  expect(returns).toBeGreaterThanOrEqual(1);
});

// kept: Live | A wrong broker password at the start ended the API again and again | failed on the old code
test("connects once a broker accepts the password that it refused from the start", async () => {
  await restartWith("another-password");
  const connecting = connect();
  let outcome = "waiting";
  connecting.then(
    () => (outcome = "connected"),
    (error: Error) => (outcome = error.message),
  );
  await until(() => refusals >= 4 || outcome !== "waiting");
  expect(outcome).toBe("waiting");
  await restartWith(new URL(rightUrl).password);
  await until(() => outcome === "connected");
  await until(async () => publishes(await connecting));
});

test("connects to a broker that is first unavailable, then refuses, then accepts", async () => {
  await nats.stop();
  const connecting = connect();
  connecting.catch(() => undefined);
  await restartWith("another-password");
  await until(() => refusals >= 2);
  await restartWith(new URL(rightUrl).password);
  await until(async () => publishes(await connecting));
});

const OTHER_PROGRAMS: Readonly<Record<string, (socket: Socket) => unknown>> = {
  "sends nothing": () => undefined,
  "closes each connection": (socket) => socket.destroy(),
  "answers like a web server": (socket) => socket.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"),
  "greets like a mail server": (socket) => socket.write("220 mail.example ESMTP\r\n"),
  "is a NATS server that hangs": (socket) =>
    socket.write('INFO {"server_id":"A","version":"2.14.0","max_payload":1048576}\r\n'),
};
const WHEN = ["at the start", "after an outage"] as const;

describe.each(Object.keys(OTHER_PROGRAMS))("while a program at the broker's port %s", (name) => {
  test.each(WHEN)("retries %s, and connects to the broker that returns", async (when) => {
    const before = when === "after an outage" ? await connect() : undefined;
    await nats.stop();
    const sockets: Socket[] = [];
    const program = createServer((socket) => {
      sockets.push(socket.on("error", () => undefined));
      OTHER_PROGRAMS[name]!(socket);
    });
    program.listen(Number(new URL(rightUrl).port), "127.0.0.1");
    await once(program, "listening");
    const connecting = before ? Promise.resolve(before) : connect();
    await until(() => sockets.length >= 2);
    expect(before?.isUp() ?? false).toBe(false);
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => program.close(closed));
    nats = await start(rightUrl);
    await until(async () => publishes(await connecting));
    expect(refusals).toBe(0);
  });
});
