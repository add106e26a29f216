import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConsoleSocket } from "../apps/server/src/stage/testing/console-socket.ts";
import { listenForArtNet } from "./testing/art-net-listener.ts";
import { openBrowser } from "./testing/browser.ts";
import { ROOT, until } from "./testing/product.ts";
import { sharedProduct, type SharedProduct } from "./testing/shared-product.ts";
import { isReady } from "./testing/songs.ts";

/*
 * Compares twelve moments of a planned song: the slots a node received, and the console's picture of the stage, which shows the
 * same slots. The test computes light and directions from the slots independently, by the makers' tables of the fixtures, and
 * projects them with its own camera. It uses no code of the console or of packages/lighting.
 */

const MOMENTS = 12;
/** Radius of the glare around a lens that points at the camera, px. */
const GLARE_PX = 48;
const SHOTS = join(ROOT, ".cache/stage-moments");
const VIEWPORT = { width: 1280, height: 1100 };
const SOFTWARE_GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

type Triple = readonly [x: number, y: number, z: number];

interface Lamp {
  readonly type: "par" | "wash";
  /** Slot of its first channel. */
  readonly slot: number;
  readonly at: Triple;
  /** Rotation of a par in degrees: its front from the hall to the right, and its tilt from straight down toward it. */
  readonly turn: number;
  readonly lean: number;
}

/** Pars at the front, turned aside; moving heads behind them, directed by the show. */
const LAMPS: readonly Lamp[] = [
  ...[-3.5, -1.2, 1.2, 3.5].map((x, i): Lamp => {
    return { type: "par", slot: 6 * i, at: [x, 3.4, 4.4], turn: i % 2 === 0 ? -60 : 60, lean: 35 };
  }),
  ...[-4.6, -2.3, 2.3, 4.6].map((x, i): Lamp => ({
    type: "wash",
    slot: 24 + 12 * i,
    at: [x, 1.2, 3.6],
    turn: 0,
    lean: 0,
  })),
];
const LIGHT_TYPES = {
  par: { light_type: "generic_rgbw_par", mode: "6 channels" },
  wash: { light_type: "generic_moving_wash", mode: "12 channels" },
} as const;

let product: SharedProduct;
let browser: Browser;
let page: Page;
let player: ConsoleSocket;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let duration: number;

beforeAll(async () => {
  [product, node] = await Promise.all([sharedProduct(), listenForArtNet()]);
  const lights = (method: string, body: object) => product.call(`lights.v1.LightsService/${method}`, body);
  const places = [];
  for (const { type, at, turn, lean } of LAMPS) {
    const { light } = await lights("CreateLight", { label: type, ...LIGHT_TYPES[type] });
    const [x, y, z] = at;
    places.push({ light_id: light.id, pose: { x, y, z, hangs: true, turn, lean } });
  }
  await lights("PlaceLights", { places });
  const output = { id: "test", protocol: "artnet", host: "127.0.0.1", port: node.port, universe: 1, port_address: 0 };
  await lights("SetOutputs", { outputs: [{ ...output, enabled: true }] });
  const { song } = await product.call("music.v1.MusicService/AddDemoSong", {});
  await until(() => isReady(product, song.id), 120_000);
  ({ duration } = (await product.call("music.v1.MusicService/GetSong", { song_id: song.id })).song);
  const url = `${product.url.replace("http", "ws")}/lights/playback/${song.id}`;
  player = await new ConsoleSocket(url, { headers: { authorization: `Bearer ${await product.token()}` } }).opened();
  await player.play(0);

  browser = await openBrowser(SOFTWARE_GL);
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addCookies([{ name: "followspot_session", value: await product.token(), url: product.url }]);
  page = await context.newPage();
  await page.addInitScript(() => {
    localStorage.setItem("followspot.stage", "3d");
    localStorage.setItem("followspot.stage.places", '{"lights":true}');
  });
  await page.goto(`${product.url}/admin/lights`);
  await page.locator("canvas").waitFor();
  await page.getByText("Lit by what the lamps get now").waitFor();
});

afterAll(async () => {
  player?.close();
  await browser?.close();
  node?.close();
});

/** Returns linear light and direction of a fixture according to the table of its mode. */
function lightOf(
  { type, slot, turn, lean }: Lamp,
  slots: Uint8Array,
): { color: Triple; direction: Triple; halfAngle: number } {
  const at = (channel: number) => slots[slot + channel]! / 255;
  const word = (channel: number) => (256 * slots[slot + channel]! + slots[slot + channel + 1]!) / 65535;
  const mixed = (dimmer: number, red: number) =>
    [0, 1, 2].map((c) => at(dimmer) * Math.min(1, at(red + c) + at(red + 3))) as unknown as Triple;
  if (type === "par") return { color: mixed(0, 1), direction: downwards(turn, lean), halfAngle: 12.5 };
  // Pan and tilt 16 bit, speed, dimmer, shutter, red, green, blue, white, zoom; pan 540 degrees, tilt 270.
  const direction = downwards((word(0) - 0.5) * 540, (word(2) - 0.5) * 270);
  return { color: mixed(5, 7), direction, halfAngle: 4 + 18.5 * at(11) };
}

/** Returns the direction straight down, tilted to the hall, then turned to the right as seen from the hall. */
function downwards(turn: number, lean: number): Triple {
  const [t, l] = [turn, lean].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  return [Math.sin(l) * Math.sin(t), Math.sin(l) * Math.cos(t), -Math.cos(l)];
}

/** View "Front of house": from 15 m before the middle of the stage, looking slightly up. */
const FRONT = { at: [0, 2, 2.75], distance: 15, lift: -0.1 } as const;
/** Vertical field of view of pictures wider than three to one, degrees. */
const FIELD = 30;

/** Returns points between one of the stage and the camera. */
function onTheWay(from: Triple): Triple[] {
  const eye: Triple = [
    0,
    2 + FRONT.distance * Math.cos(FRONT.lift),
    FRONT.at[2] + FRONT.distance * Math.sin(FRONT.lift),
  ];
  const mix = (share: number): Triple => {
    const between = (c: 0 | 1 | 2) => from[c] + share * (eye[c] - from[c]);
    return [between(0), between(1), between(2)];
  };
  return Array.from({ length: 60 }, (_, i) => mix(i / 60));
}

/** Projects a point of the stage onto the picture, px. */
function project([x, y, z]: Triple, { width, height }: { width: number; height: number }): readonly [number, number] {
  const [forward, up] = [-Math.cos(FRONT.lift), -Math.sin(FRONT.lift)];
  const [dy, dz] = [y - FRONT.at[1] + FRONT.distance * forward, z - FRONT.at[2] + FRONT.distance * up];
  const depth = dy * forward + dz * up;
  const high = dz * -forward + dy * up;
  const scale = height / 2 / Math.tan((FIELD * Math.PI) / 360);
  return [width / 2 + (scale * x) / depth, height / 2 - (scale * high) / depth];
}

const along = ({ at }: Lamp, [x, y, z]: Triple, metres: number): Triple => [
  at[0] + metres * x,
  at[1] + metres * y,
  at[2] + metres * z,
];
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const strength = (color: Triple): number => Math.max(...color);
/** Returns 1 for the same color at any brightness. */
const likeness = (a: Triple, b: Triple): number => dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) || 1);

/** Returns the linear light of a picture around each point. */
async function samplesOf(png: Buffer, points: readonly (readonly [number, number])[]): Promise<Triple[]> {
  const means = await page.evaluate(
    async ([data, at]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const linear = (byte: number) =>
        byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
      return at.map(([x, y]) => {
        const { data: pixels } = context.getImageData(Math.round(x) - 2, Math.round(y) - 2, 5, 5);
        const sum = [0, 0, 0];
        for (let i = 0; i < pixels.length; i += 4) for (const c of [0, 1, 2]) sum[c]! += linear(pixels[i + c]!) / 25;
        return sum;
      });
    },
    [png.toString("base64"), points] as const,
  );
  return means as unknown as Triple[];
}

/** Pauses the song at a time, and returns the slots at the node and the picture of the stage. */
async function hold(
  seconds: number,
): Promise<{ slots: Uint8Array; png: Buffer; size: { width: number; height: number } }> {
  player.say({ type: "play", position: seconds });
  await sleep(300);
  player.say({ type: "pause", position: seconds });
  await until(() => player.state?.mode === "paused");
  const stands = async () => {
    const before = String(node.packets.at(-1)!.slots);
    await sleep(900);
    return String(node.packets.at(-1)!.slots) === before;
  };
  await until(stands);
  const canvas = page.locator("canvas");
  const png = await canvas.screenshot();
  const { width, height } = (await canvas.boundingBox())!;
  return { slots: node.packets.at(-1)!.slots, png, size: { width, height } };
}

test("shows every fixture with the color, place and direction of its slots at twelve moments of a song", async () => {
  await rm(SHOTS, { recursive: true, force: true });
  await mkdir(SHOTS, { recursive: true });
  const wrong: string[] = [];
  const seen = { lit: 0, dark: 0, turned: 0 };
  for (let moment = 0; moment < MOMENTS; moment++) {
    // A song begins and ends dark.
    const seconds = duration * (0.1 + (0.7 * moment) / MOMENTS);
    const { slots, png, size } = await hold(seconds);
    const name = `${String(moment + 1).padStart(2, "0")}-${seconds.toFixed(1)}s`;
    const lights = LAMPS.map((lamp) => lightOf(lamp, slots));
    await writeFile(join(SHOTS, `${name}.png`), png);
    await writeFile(
      join(SHOTS, `${name}.json`),
      JSON.stringify({ seconds, slots: [...slots.subarray(0, 72)], lights }),
    );

    const mirrored = ({ direction: [x, y, z] }: (typeof lights)[number]): Triple => [-x, y, z];
    const points = LAMPS.flatMap((lamp, i) => [
      project(along(lamp, lights[i]!.direction, 0.3), size),
      project(along(lamp, lights[i]!.direction, 1.2), size),
      project(along(lamp, mirrored(lights[i]!), 1.2), size),
    ]);
    const samples = await samplesOf(png, points);
    for (const [i, lamp] of LAMPS.entries()) {
      const { color, direction } = lights[i]!;
      const [near, there, elsewhere] = samples.slice(3 * i, 3 * i + 3) as [Triple, Triple, Triple];
      // Skipped if another fixture's light crosses the line of sight.
      const isCrossed = (at: Triple) =>
        LAMPS.some((other, k) => {
          if (k === i || strength(lights[k]!.color) < 0.02) return false;
          const [[x, y], [lensX, lensY]] = [project(at, size), project(other.at, size)];
          return (
            Math.hypot(x - lensX, y - lensY) < GLARE_PX ||
            onTheWay(at).some((point) => isInBeam(point, other, lights[k]!))
          );
        });
      const what = `${name}: ${lamp.type} ${i + 1}, sent ${words(color)},`;
      if (isCrossed(along(lamp, direction, 0.3))) continue;
      if (strength(color) < 0.01) {
        seen.dark++;
        if (strength(near) > 0.1) wrong.push(`${what} shines ${words(near)}`);
        continue;
      }
      if (strength(color) < 0.1) continue;
      seen.lit++;
      if (strength(near) < 0.1 * strength(color)) wrong.push(`${what} is dark: ${words(near)}`);
      else if (likeness(near, color) < 0.93) wrong.push(`${what} shines ${words(near)}`);
      const [[x], [x2]] = [points[3 * i + 1]!, points[3 * i + 2]!];
      if (Math.abs(x - x2) < 24 || isCrossed(along(lamp, mirrored(lights[i]!), 1.2))) continue;
      seen.turned++;
      if (dot(there, color) < 1.3 * dot(elsewhere, color)) wrong.push(`${what} looks elsewhere: ${words(there)} there, ${words(elsewhere)} opposite`); // prettier-ignore
    }
  }
  await writeFile(join(SHOTS, "seen.json"), JSON.stringify({ ...seen, wrong }));
  expect(wrong).toEqual([]);
  // Enough of all three to be significant; each run plans another show, because its song is another one.
  expect(seen.lit).toBeGreaterThan(8);
  expect(seen.dark).toBeGreaterThan(0);
  expect(seen.turned).toBeGreaterThan(2);
});

/** Whether a point is in another fixture's cone, or close to it. */
function isInBeam(at: Triple, lamp: Lamp, { direction, halfAngle }: ReturnType<typeof lightOf>): boolean {
  const to: Triple = [at[0] - lamp.at[0], at[1] - lamp.at[1], at[2] - lamp.at[2]];
  const away = Math.sqrt(dot(to, to));
  if (away < 0.4) return true;
  return (Math.acos(Math.min(1, dot(to, direction) / away)) * 180) / Math.PI < halfAngle + 4;
}

const words = (color: Triple): string => `(${color.map((value) => value.toFixed(2)).join(" ")})`;
