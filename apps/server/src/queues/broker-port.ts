import { ConnectError } from "@connectrpc/connect";
import { unavailable } from "../platform/errors.ts";
import type { Broker } from "../platform/nats.ts";

/** Undefined until the broker has answered the first time. */
export type BrokerPort = () => Broker | undefined;

const DOWN = "The message broker does not answer. Make sure NATS is running.";

/** @throws unavailable while the broker does not answer; refusals of our own stay what they are */
export async function askBroker<T>(port: BrokerPort, ask: (broker: Broker) => Promise<T>): Promise<T> {
  const broker = port();
  if (!broker?.isUp()) throw unavailable(DOWN);
  try {
    return await ask(broker);
  } catch (error) {
    throw error instanceof ConnectError ? error : unavailable(DOWN, error);
  }
}
