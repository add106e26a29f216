import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { consoleAddresses } from "../../platform/http/own-address.ts";
import { readyLines } from "./ready-lines.ts";

// kept: Doors | With HOST=0.0.0.0 the start printed an address and an owner link that work on no other machine | failed
// with the fault put back
test.each(["0.0.0.0", "::"])("a server that listens at %s prints an address and owner link of this machine", (HOST) => {
  const listening = { HOST, PORT: 3000, FOLLOWSPOT_PUBLIC_URL: undefined };
  const lines = readyLines(6.04, consoleAddresses(listening), "KEY");
  const own = new Set([
    "localhost",
    ...Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? []).map(({ address }) => (address.includes(":") ? `[${address}]` : address)),
    ),
  ]);
  const links = lines.flatMap((line) => line.match(/http:\S+/g) ?? []);
  expect(links.length).toBeGreaterThanOrEqual(2);
  for (const link of links) expect(own).toContain(new URL(link).hostname);
  expect(links.at(-1)).toBe(`${links[0]}?owner=KEY`);
});

test("a server with a public address prints that one, and no owner link once it has an owner", () => {
  expect(readyLines(6.04, ["https://night.example.org"], undefined)).toEqual([
    "\nFollowspot is ready after 6.0 s: https://night.example.org/admin",
  ]);
});
