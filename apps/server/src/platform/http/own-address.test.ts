import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { areLinksLocal, consoleAddresses, linkAddressFor, ownAddress } from "./own-address.ts";

const addresses = (...listed: string[]): NetworkInterfaceInfo[] =>
  listed.map((address) => ({
    ...{ address, netmask: "", mac: "", cidr: null, internal: address === "127.0.0.1" || address === "::1" },
    ...(address.includes(":") ? { family: "IPv6", scopeid: 0 } : { family: "IPv4" }),
  }));
const MACHINE = {
  lo: addresses("127.0.0.1", "::1"),
  docker0: addresses("172.17.0.1"),
  dmx0: addresses("169.254.7.7", "fe80::7"),
  wlan0: addresses("192.168.1.10", "fe80::1", "2001:db8::10"),
};
const ALONE = { lo: addresses("127.0.0.1", "::1") };

test.each([
  ["localhost", "http://127.0.0.1:3000"],
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://127.0.0.1:3000"],
  ["::", "http://127.0.0.1:3000"],
  ["192.168.1.10", "http://192.168.1.10:3000"],
  ["::1", "http://[::1]:3000"],
  ["box.local", "http://box.local:3000"],
])("other processes reach a server that listens at %s by %s", (HOST, address) => {
  expect(ownAddress({ HOST, PORT: 3000 })).toBe(address);
  expect(ownAddress({ HOST, PORT: 3000, FOLLOWSPOT_BASE_PATH: "/lights" })).toBe(`${address}/lights`);
});

test.each([
  ["localhost", MACHINE, ["http://localhost:3000"]],
  ["127.0.0.1", MACHINE, ["http://localhost:3000"]],
  ["::1", MACHINE, ["http://[::1]:3000"]],
  ["192.168.1.10", MACHINE, ["http://192.168.1.10:3000"]],
  ["box.local", MACHINE, ["http://box.local:3000"]],
  ["0.0.0.0", MACHINE, ["http://192.168.1.10:3000", "http://169.254.7.7:3000", "http://172.17.0.1:3000"]],
  [
    "::",
    MACHINE,
    ["http://192.168.1.10:3000", "http://[2001:db8::10]:3000", "http://169.254.7.7:3000", "http://172.17.0.1:3000"],
  ],
  ["0.0.0.0", ALONE, ["http://localhost:3000"]],
  ["::", ALONE, ["http://localhost:3000"]],
] as const)("a server that listens at %s prints addresses that users can open", (HOST, interfaces, expected) => {
  const listening = { HOST, PORT: 3000, FOLLOWSPOT_PUBLIC_URL: undefined };
  expect(consoleAddresses(listening, interfaces)).toEqual(expected);
  const FOLLOWSPOT_PUBLIC_URL = "https://night.example.org";
  expect(consoleAddresses({ ...listening, FOLLOWSPOT_PUBLIC_URL }, interfaces)).toEqual([FOLLOWSPOT_PUBLIC_URL]);
  const secured = consoleAddresses({ ...listening, FOLLOWSPOT_HTTPS: "on" }, interfaces);
  expect(secured).toEqual(expected.map((address) => address.replace("http:", "https:")));
  const below = { ...listening, FOLLOWSPOT_BASE_PATH: "/lights" };
  expect(consoleAddresses(below, interfaces)).toEqual(expected.map((address) => `${address}/lights`));
  const proxied = consoleAddresses({ ...below, FOLLOWSPOT_PUBLIC_URL }, interfaces);
  expect(proxied).toEqual([`${FOLLOWSPOT_PUBLIC_URL}/lights`]);
});

describe("links on a page", () => {
  const listening = { HOST: "0.0.0.0", PORT: 3000, FOLLOWSPOT_PUBLIC_URL: undefined };

  test.each(["localhost:3000", "LOCALHOST", "127.0.0.1:3000", "127.0.0.2:3000", "[::1]:3000"])(
    "opened at %s start with the network address of the machine",
    (host) => {
      expect(linkAddressFor(listening, host, MACHINE)).toBe("http://192.168.1.10:3000");
      expect(linkAddressFor({ ...listening, HOST: "127.0.0.1" }, host, MACHINE)).toBeUndefined();
    },
  );

  test.each(["192.168.1.10:3000", "night.example.org", "localhost.example.org", "127.0.0.1.example.org", undefined])(
    "opened at %s keep that address unless FOLLOWSPOT_PUBLIC_URL is set",
    (host) => {
      expect(linkAddressFor(listening, host, MACHINE)).toBeUndefined();
      const FOLLOWSPOT_PUBLIC_URL = "https://night.example.org";
      expect(linkAddressFor({ ...listening, FOLLOWSPOT_PUBLIC_URL }, host, MACHINE)).toBe(FOLLOWSPOT_PUBLIC_URL);
    },
  );

  test.each<[string, string, string | undefined, boolean]>([
    ["localhost", "localhost:3000", undefined, true],
    ["127.0.0.1", "127.0.0.1:3000", undefined, true],
    ["::1", "[::1]:3000", undefined, true],
    ["0.0.0.0", "localhost:3000", undefined, false],
    ["0.0.0.0", "192.168.1.10:3000", undefined, false],
    ["localhost", "localhost:3000", "https://night.example.org", false],
    ["localhost", "night.example.org", undefined, false],
    ["localhost", "localhost:3000", "http://localhost:3000", true],
  ])("of a server at %s, opened at %s with the public URL %s, open on this machine only: %s", (...values) => {
    const [HOST, host, FOLLOWSPOT_PUBLIC_URL, isLocal] = values;
    expect(areLinksLocal({ ...listening, HOST, FOLLOWSPOT_PUBLIC_URL }, host, MACHINE)).toBe(isLocal);
  });

  test("of a machine without a network open on this machine only", () => {
    expect(areLinksLocal(listening, "localhost:3000", {})).toBe(true);
  });
});
