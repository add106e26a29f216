import { expect, test } from "vitest";
import { ownAddress } from "./own-address.ts";

test.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://127.0.0.1:3000"],
  ["::", "http://127.0.0.1:3000"],
  ["192.168.1.10", "http://192.168.1.10:3000"],
  ["::1", "http://[::1]:3000"],
  ["box.local", "http://box.local:3000"],
])("a server that listens at %s is reached by its own parts at %s", (HOST, address) => {
  expect(ownAddress({ HOST, PORT: 3000 })).toBe(address);
});
