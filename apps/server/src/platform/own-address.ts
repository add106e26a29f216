import type { Settings } from "./settings.ts";

/** Listening on every address of the machine, loopback among them. */
const EVERYWHERE = ["0.0.0.0", "::"];

/** Where the API is reached from its own machine: one that listens at a single address is not on loopback. */
export function ownAddress({ HOST, PORT }: Pick<Settings, "HOST" | "PORT">): string {
  const host = EVERYWHERE.includes(HOST) ? "127.0.0.1" : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}
