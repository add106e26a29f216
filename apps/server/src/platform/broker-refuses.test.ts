import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { findNatsServer, startNats, type RunningNats } from "../supervisor/nats.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";
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
