import type { FixtureMode } from "@followspot/contract";
import { fieldOf, listAt, objectAt, type JsonObject } from "./json.ts";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";

interface Pixel {
  readonly key: string;
  /** X, Y and Z. */
  readonly at: readonly [number, number, number];
}

interface Pixels {
  /** Pixels, then groups of them, each with its head. A group of all pixels is shared. */
  readonly all: readonly { readonly key: string; readonly head: number }[];
  /** Position of each pixel by its head; empty for a line. */
  readonly places: NonNullable<FixtureMode["pixels"]>;
  /** Returns the pixels that a block of a mode is repeated for, in its order. */
  repeated(repeatFor: unknown): readonly string[];
}

/** Reads the pixels of a matrix, given by count or by keys with gaps. */
export function pixelsOf(matrix: JsonObject): Pixels {
  const pixels = [...counted(matrix), ...named(matrix)].slice(0, FIXTURE_LIMITS.channels + 1);
  if (pixels.length > FIXTURE_LIMITS.channels) refuse("The fixture has more pixels than a universe has channels.");
  const members = objectAt(matrix, "pixelGroups");
  const groups = Object.keys(members);
  const isAll = (group: string) => {
    const own = fieldOf(members, group);
    return own === "all" || (Array.isArray(own) && new Set(own).size >= pixels.length);
  };
  if (groups.length > FIXTURE_LIMITS.channels)
    refuse("The fixture has more pixel groups than a universe has channels.");
  const keys = pixels.map(({ key }) => key);
  return {
    all: [...keys, ...groups].map((key, i) => ({ key, head: i >= keys.length && isAll(key) ? 0 : i + 1 })),
    places: placesOf(pixels),
    repeated: (repeatFor) => {
      if (Array.isArray(repeatFor)) return repeatFor.filter((key) => typeof key === "string").slice(0, 513);
      if (repeatFor === "eachPixelGroup") return groups;
      if (repeatFor === "eachPixelABC") {
        return keys.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
      }
      const order = /^eachPixel([XYZ])([XYZ])([XYZ])$/.exec(typeof repeatFor === "string" ? repeatFor : "");
      if (!order) return keys;
      // The first letter varies fastest.
      const axes = order
        .slice(1)
        .map((axis) => "XYZ".indexOf(axis))
        .toReversed();
      const apart = (a: Pixel, b: Pixel) => axes.map((axis) => a.at[axis]! - b.at[axis]!).find((d) => d !== 0) ?? 0;
      return pixels.toSorted(apart).map(({ key }) => key);
    },
  };
}

/**
 * Returns columns from left to right and rows from the top, as the library counts. Layers in depth are the rows of a
 * flat fixture.
 */
function placesOf(pixels: readonly Pixel[]): NonNullable<FixtureMode["pixels"]> {
  const isFlat = pixels.every(({ at }) => at[1] === pixels[0]!.at[1]);
  const places = pixels.map(({ at }, i) => ({ head: i + 1, column: at[0], row: isFlat ? at[2] : at[1] }));
  const isMatrix =
    new Set(places.map(({ row }) => row)).size > 1 && new Set(places.map(({ column }) => column)).size > 1;
  return isMatrix ? places.filter(({ head, column, row }) => Math.max(head, column, row) < 512) : [];
}

function counted(matrix: JsonObject): readonly Pixel[] {
  const [x, y, z] = listAt(matrix, "pixelCount").map((n) =>
    typeof n === "number" && n >= 1 && n <= 512 ? Math.floor(n) : 0,
  );
  if (!x || !y || !z) return [];
  if (x * y * z > FIXTURE_LIMITS.channels) refuse("The fixture has more pixels than a universe has channels.");
  const isLine = [x, y, z].filter((n) => n > 1).length < 2;
  return Array.from({ length: x * y * z }, (_, i) => {
    const at = [i % x, Math.floor(i / x) % y, Math.floor(i / (x * y))] as const;
    const place = z > 1 ? `(${at[0] + 1}, ${at[1] + 1}, ${at[2] + 1})` : `(${at[0] + 1}, ${at[1] + 1})`;
    return { key: isLine ? String(i + 1) : place, at };
  });
}

function named(matrix: JsonObject): readonly Pixel[] {
  const pixels: Pixel[] = [];
  for (const [z, layer] of listAt(matrix, "pixelKeys").entries()) {
    if (!Array.isArray(layer)) continue;
    for (const [y, row] of layer.entries()) {
      if (!Array.isArray(row)) continue;
      for (const [x, key] of row.entries()) {
        if (typeof key === "string" && pixels.length <= FIXTURE_LIMITS.channels) pixels.push({ key, at: [x, y, z] });
      }
    }
  }
  return pixels;
}
