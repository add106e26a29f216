import { ConnectError } from "@connectrpc/connect";
import { unavailable } from "../../platform/errors.ts";
import type { Broker } from "../../platform/broker/nats.ts";

/** Returns the broker; undefined until it has connected for the first time. */
export type BrokerPort = () => Broker | undefined;

const DOWN = "The message broker does not answer. Make sure NATS is running.";

/** @throws unavailable while the broker does not respond; our own errors are passed on */
export async function askBroker<T>(port: BrokerPort, ask: (broker: Broker) => Promise<T>): Promise<T> {
  const broker = port();
  if (!broker?.isUp()) throw unavailable(DOWN);
  try {
    return await ask(broker);
  } catch (error) {
    throw error instanceof ConnectError ? error : unavailable(DOWN, error);
  }
}
