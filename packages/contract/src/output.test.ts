import { expect, test } from "vitest";
import { outputOfUrl, portOf } from "./output.ts";

test("reads host, port and universe of an output, IPv6 without its brackets", () => {
  const read = (url: string) => {
    const output = outputOfUrl(url, 3);
    return [output.protocol, output.host, portOf(output), output.portAddress, output.universe];
  };
  expect(read("artnet://10.0.0.7/0")).toEqual(["artnet", "10.0.0.7", 6454, 0, 3]);
  expect(read("artnet://node7.local:7000/18")).toEqual(["artnet", "node7.local", 7000, 18, 3]);
  expect(read("sacn://[::1]")).toEqual(["sacn", "::1", 5568, 1, 3]);
});

test.each([
  "http://10.0.0.7/0",
  "artnet:10.0.0.7",
  "sacn://10.0.0.7/64000",
  "sacn://10.0.0.7/0",
  "artnet://10.0.0.7/32768",
  "artnet://10.0.0.7:70000/0",
])("refuses %s as an output", (url) => {
  expect(() => outputOfUrl(url)).toThrow(RangeError);
});
