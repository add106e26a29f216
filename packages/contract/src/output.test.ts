import { expect, test } from "vitest";
import { multicastGroup, outputOfUrl, portOf } from "./output.ts";

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

test("reads multicast, priority and USB adapters", () => {
  expect(outputOfUrl("sacn://multicast/300?priority=80")).toMatchObject({
    multicast: true,
    host: "",
    portAddress: 300,
    priority: 80,
  });
  expect(outputOfUrl("enttec_pro:///dev/ttyUSB0", 2)).toMatchObject({
    protocol: "enttec_pro",
    device: "/dev/ttyUSB0",
    universe: 2,
  });
  expect(outputOfUrl("open_dmx://COM3").device).toBe("COM3");
});

test("names the multicast group of a universe", () => {
  expect([1, 300, 63_999].map(multicastGroup)).toEqual(["239.255.0.1", "239.255.1.44", "239.255.249.255"]);
});

test.each(["sacn://multicast/1?priority=201", "enttec_pro://", "artnet:///0"])("refuses %s as well", (url) => {
  expect(() => outputOfUrl(url)).toThrow(RangeError);
});
