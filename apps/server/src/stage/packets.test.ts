import { describe, expect, it } from "vitest";
import { ArtDmxPacket, artSyncPacket } from "./artnet-packet.ts";
import { SacnDataPacket, sourceName, SacnSyncPacket } from "./sacn-packet.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("Art-Net", () => {
  it("writes ArtDmx byte for byte", () => {
    const packet = new ArtDmxPacket((3 << 8) | (2 << 4) | 1, 4);
    packet.slots.set([255, 128, 1, 0]);
    expect(hex(packet.next())).toBe(
      "4172742d4e657400" + "0050" + "000e" + "01" + "00" + "21" + "03" + "0004" + "ff800100",
    );
  });

  it("is 530 octets for a full universe", () => {
    expect(new ArtDmxPacket(0).next()).toHaveLength(530);
  });

  it("counts 1..255 and never 0, which would switch counting off", () => {
    const packet = new ArtDmxPacket(0, 2);
    const counts = Array.from({ length: 256 }, () => packet.next()[12]);
    expect([counts[0], counts[254], counts[255]]).toEqual([1, 255, 1]);
  });

  it("writes ArtSync byte for byte", () => {
    expect(hex(artSyncPacket())).toBe("4172742d4e657400" + "0052" + "000e" + "0000");
  });

  it("refuses a port address past 15 bits", () => {
    expect(() => new ArtDmxPacket(32768)).toThrow(/0\.\.32767/);
  });
});

describe("sACN", () => {
  const cid = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
  const source = { cid, name: "Followspot" };

  it("writes a data packet byte for byte", () => {
    const packet = new SacnDataPacket(source, 7, 0, 4);
    packet.slots.set([255, 128, 1, 0]);
    const expected =
      "0010" +
      "0000" +
      "4153432d45312e3137000000" +
      "7072" +
      "00000004" +
      hex(cid) +
      "705c" +
      "00000002" +
      hex(Buffer.from("Followspot")).padEnd(128, "0") +
      "64" +
      "0000" +
      "00" +
      "00" +
      "0007" +
      "700f" +
      "02" +
      "a1" +
      "0000" +
      "0001" +
      "0005" +
      "00" +
      "ff800100";
    expect(hex(packet.next())).toBe(expected);
  });

  it("is 638 octets for a full universe, with the lengths of the standard", () => {
    const bytes = new SacnDataPacket(source, 1).next();
    expect([bytes.length, bytes.readUInt16BE(16), bytes.readUInt16BE(38), bytes.readUInt16BE(115)]).toEqual([
      638, 0x726e, 0x7258, 0x720b,
    ]);
  });

  it("marks the end of a stream and counts on", () => {
    const packet = new SacnDataPacket(source, 1);
    packet.next();
    const bytes = packet.nextTerminated();
    expect([bytes[111], bytes[112]]).toEqual([1, 0x40]);
  });

  it("writes a synchronization packet byte for byte", () => {
    const expected =
      "0010" +
      "0000" +
      "4153432d45312e3137000000" +
      "7021" +
      "00000008" +
      hex(cid) +
      "700b" +
      "00000001" +
      "00" +
      "0007" +
      "0000";
    expect(hex(new SacnSyncPacket(source, 7).next())).toBe(expected);
  });

  it("cuts the source name between characters, leaving the final zero", () => {
    const name = sourceName("ä".repeat(40));
    expect([name.length, name[61], name[62], name[63]]).toEqual([64, 0xa4, 0, 0]);
  });
});
