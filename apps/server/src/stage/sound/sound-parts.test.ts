import { MAX_BLOCK_SAMPLES } from "@followspot/contract";
import { expect, it } from "vitest";
import { BlockOrder, readBlock } from "./block.ts";
import { SoundClock } from "./sound-clock.ts";
import { inputOf, readDeviceName } from "./sound-device.ts";

const samples = (count: number) => new Int16Array(count).fill(5);

it("parses blocks, and nothing else", () => {
  expect(readBlock(Buffer.from([1, 0, 0, 0, 255, 127, 0, 128]))).toEqual({
    first: 1,
    samples: Int16Array.of(32_767, -32_768),
  });
  for (const size of [0, 3, 4, 5, 4 + 2 * MAX_BLOCK_SAMPLES + 2]) expect(readBlock(Buffer.alloc(size))).toBeUndefined();
});

it("fills gaps with silence", () => {
  const order = new BlockOrder(1000, 0);
  expect(order.take({ first: 70, samples: samples(10) }, 0)).toEqual(samples(10));
  expect([...order.take({ first: 83, samples: samples(2) }, 0)!]).toEqual([0, 0, 0, 5, 5]);
});

it("continues over 2^32", () => {
  const order = new BlockOrder(1000, 0);
  order.take({ first: 2 ** 32 - 4, samples: samples(4) }, 0);
  expect(order.take({ first: 0, samples: samples(4) }, 0)).toEqual(samples(4));
});

it("restarts after numbers that leap or run backward", () => {
  const order = new BlockOrder(1000, 0);
  order.take({ first: 5000, samples: samples(10) }, 0);
  expect(order.take({ first: 0, samples: samples(10) }, 0)).toEqual(samples(10));
  expect(order.take({ first: 900_000, samples: samples(10) }, 0)).toEqual(samples(10));
  expect(order.take({ first: 900_010, samples: samples(10) }, 0)).toEqual(samples(10));
});

it("accepts no more sound than the elapsed time allows", () => {
  const order = new BlockOrder(1000, 0);
  let taken = 0;
  for (let i = 0; i < 1000; i++) taken += order.take({ first: i * 100, samples: samples(100) }, 1000)?.length ?? 0;
  expect(taken).toBe(3000);
  expect(order.take({ first: 100_000, samples: samples(100) }, 60_000)).toHaveLength(100);
});

it("estimates when sound was captured from the fastest delivery, however late the rest arrives", () => {
  const clock = new SoundClock();
  for (let n = 1; n <= 500; n++) clock.arrived(n / 100, 1000 + n * 10 + (n % 7) * 4);
  expect(clock.msOf(5)).toBe(6000);
});

it("follows a sound clock that drifts", () => {
  const clock = new SoundClock();
  for (let n = 1; n <= 3000; n++) clock.arrived(n / 100, 1000 + n * 10 * 1.0005);
  expect(Math.abs(clock.msOf(30) - (1000 + 30_000 * 1.0005))).toBeLessThan(4);
});

it("parses the devices that a setting may name", () => {
  expect(inputOf(readDeviceName("alsa:hw:1,0")!)).toEqual(["-f", "alsa", "-i", "hw:1,0"]);
  expect(readDeviceName("avfoundation::0")).toEqual({ kind: "avfoundation", name: ":0" });
  for (const text of ["", "alsa:", "concat:/etc/passwd", "file:/etc/passwd", "hw:1"]) {
    expect(readDeviceName(text)).toBeUndefined();
  }
});
