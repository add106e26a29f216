import { create } from "@bufbuild/protobuf";
import { outputName } from "@followspot/contract";
import { FoundDeviceSchema, FoundNodeSchema, OutputSchema } from "@followspot/contract/lights";
import { describe, expect, test } from "vitest";
import { fieldsOf, foundAdapters, foundPorts, nextUniverse, toOutput, wayOf, wholeNumber } from "./output-fields.ts";

const artnet = create(OutputSchema, {
  id: "o1",
  protocol: "artnet",
  host: "10.0.0.7",
  universe: 1,
  portAddress: 3,
  offsetMs: -12,
  enabled: true,
});

describe("the form of an output", () => {
  test("round-trips every output setting", () => {
    const usb = create(OutputSchema, {
      protocol: "enttec_pro",
      device: "/dev/ttyUSB0",
      deviceSerial: "EN1",
      universe: 2,
    });
    const sacn = create(OutputSchema, { protocol: "sacn", multicast: true, priority: 0, portAddress: 300, rateHz: 30, universe: 1 }); // prettier-ignore
    for (const output of [artnet, usb, sacn]) expect(toOutput(fieldsOf(output), output)).toEqual(output);
  });

  test("clears the serial number when another port is selected", () => {
    const usb = create(OutputSchema, {
      protocol: "enttec_pro",
      device: "/dev/ttyUSB0",
      deviceSerial: "EN1",
      universe: 2,
    });
    expect(toOutput({ ...fieldsOf(usb), device: "/dev/ttyUSB1" }, usb).deviceSerial).toBe("");
  });

  test("accepts only whole numbers in range, and an empty number if that has a meaning", () => {
    const rate = wholeNumber(1, 44, true);
    expect(["", " 44 ", "1"].map(rate)).toEqual([undefined, undefined, undefined]);
    for (const wrong of ["0", "45", "1.5", "x", "-1"]) expect(rate(wrong)).toBe("Must be a whole number from 1 to 44");
    expect(wholeNumber(0, 9)("")).toBeDefined();
  });
});

test("a new output gets the first patched universe without an output", () => {
  expect(nextUniverse([], [])).toBe(1);
  expect(nextUniverse([artnet], [1, 3, 2])).toBe(2);
  expect(nextUniverse([artnet], [1])).toBe(2);
});

describe("a discovered port", () => {
  const node = create(FoundNodeSchema, { host: "10.0.0.7", port: 6454, name: "Node", portAddresses: [3, 4] });

  test("becomes an output with host and port address, unless it has one", () => {
    const [used, free] = foundPorts([node], [artnet], 2);
    expect(used!.output).toBeUndefined();
    expect(free!.output).toMatchObject({ protocol: "artnet", host: "10.0.0.7", port: 0, portAddress: 4, universe: 2, label: "Node" }); // prettier-ignore
  });

  test("uses a port other than Art-Net's if the node was found there", () => {
    const [found] = foundPorts([create(FoundNodeSchema, { ...node, port: 7000 })], [artnet], 1);
    expect(found!.output).toMatchObject({ port: 7000, portAddress: 3 });
  });

  test("identifies adapters by serial number, and adapters with the same number by path", () => {
    const device = (path: string, serial: string) =>
      create(FoundDeviceSchema, { path, serial, name: "PRO", protocol: "enttec_pro" });
    const output = create(OutputSchema, { protocol: "enttec_pro", device: "/dev/ttyUSB0", deviceSerial: "EN1" });
    const isFree = (devices: Parameters<typeof foundAdapters>[0]) =>
      foundAdapters(devices, [output], 1).map((found) => found.output !== undefined);
    expect(isFree([device("/dev/ttyUSB3", "EN1"), device("/dev/ttyUSB4", "")])).toEqual([false, true]);
    expect(isFree([device("/dev/ttyUSB0", "EN1"), device("/dev/ttyUSB1", "EN1")])).toEqual([false, true]);
  });
});

test("an output is named by its label, otherwise by its destination", () => {
  expect(outputName(create(OutputSchema, { ...artnet, label: "Truss" }))).toBe("Truss");
  expect(outputName(artnet)).toBe("10.0.0.7");
  expect(wayOf(artnet)).toBe("10.0.0.7, port address 3");
  expect(wayOf(create(OutputSchema, { protocol: "sacn", multicast: true, portAddress: 7 }))).toBe(
    "multicast, sACN universe 7",
  );
});
