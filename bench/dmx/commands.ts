/**
 * How long a command of a console takes to the wire: presses of the desk, the very first one told apart, then seek, pause
 * and stop, through the whole product (API, relay, stage, output thread) to a node on loopback.
 * `npm run bench:commands`, about two minutes.
 */
import { WebSocket } from "ws";
import { lightingPlanSchema, rigSchema } from "@followspot/contract";
import { compileShow, renderFrame } from "@followspot/lighting";
import { listenForArtNet } from "../../e2e/testing/art-net-listener.ts";
import { removeData, startProduct, until } from "../../e2e/testing/product.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";

const ROUNDS = 20;
const LAMPS = 4;
const SLOTS_OF_A_LAMP = 3;
const product = await startProduct();
const node = await listenForArtNet();
try {
  const authorization = `Bearer ${await product.token()}`;
  const read = async (path: string) => (await fetch(`${product.url}${path}`, { headers: { authorization } })).json();
  const uploaded = (await (
    await fetch(`${product.url}/api/songs/upload`, {
      method: "POST",
      headers: { authorization, "content-type": "application/octet-stream", "x-file-name": "bench.wav" },
      body: synthesiseSong(60, 120),
    })
  ).json()) as { song: { id: string } };
  const { id } = uploaded.song;
  await until(
    async () => (await product.call("music.v1.MusicService/GetSong", { song_id: id })).song.lightingStatus === "ready",
    60_000,
  );
  for (let lamp = 1; lamp <= LAMPS; lamp++) {
    const light = { label: `Par ${lamp}`, light_type: "generic_rgb_par", mode: "3 channels", position: String(lamp) };
    await product.call("lights.v1.LightsService/CreateLight", light);
  }
  const output = { id: "o", protocol: "artnet", host: "127.0.0.1", port: node.port, universe: 1, enabled: true };
  await product.call("lights.v1.LightsService/SetOutputs", { outputs: [output] });
  const plan = lightingPlanSchema.parse(await read(`/proxy/music/lighting/${id}/lighting.json`));
  const show = compileShow(plan, rigSchema.parse(await read("/api/lights/rig")));

  const socket = new WebSocket(`${product.url.replace("http", "ws")}/lights/playback/${id}`, {
    headers: { authorization },
  });
  let mode = "";
  socket.on("message", (data) => (mode = JSON.parse(String(data)).mode ?? mode));
  await new Promise((open) => socket.once("open", open));
  const say = (message: object) => socket.send(JSON.stringify(message));
  const prepare = async () => {
    say({ type: "prepare_playback" });
    await until(() => mode === "prepared", 5000);
  };
  /** ms until a packet satisfies the condition. */
  const wireAfter = async (message: object, isIt: (slots: Uint8Array, ms: number) => boolean): Promise<number> => {
    const sentAt = performance.now();
    node.packets.length = 0;
    say(message);
    await until(() => node.packets.some(({ at, slots }) => isIt(slots, at - sentAt)), 3000);
    return node.packets.find(({ at, slots }) => isIt(slots, at - sentAt))!.at - sentAt;
  };

  /** ms until the last packet that differs from the one before it; 0 when the first packet already stood still. */
  const lastChangeAfter = async (message: object): Promise<number> => {
    const sentAt = performance.now();
    node.packets.length = 0;
    say(message);
    await new Promise((later) => setTimeout(later, 1000));
    const isChange = (slots: Uint8Array, before: Uint8Array | undefined) =>
      before !== undefined && Buffer.compare(slots, before) !== 0;
    const last = node.packets.findLast(({ slots }, index) => isChange(slots, node.packets[index - 1]?.slots));
    return last ? last.at - sentAt : 0;
  };

  const pressTimes = await measureDesk();

  const seeks: number[] = [];
  const pauses: number[] = [];
  const stops: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await prepare();
    say({ type: "play", position: 3 });
    await new Promise((later) => setTimeout(later, 500));
    const target = 24 + round / 2;
    const isThere = (slots: Uint8Array, ms: number) => {
      for (let t = target - 0.02; t <= target + ms / 1000 + 0.09; t += 0.002) {
        if (isFrame(slots, renderFrame(show, t).get(1)!)) return true;
      }
      return false;
    };
    seeks.push(await wireAfter({ type: "seek", position: target }, isThere));
    await new Promise((later) => setTimeout(later, 300));
    pauses.push(await lastChangeAfter({ type: "pause" }));
    stops.push(await wireAfter({ type: "stop" }, (slots) => slots.every((level) => level === 0)));
    await until(() => mode === "idle", 3000);
  }
  const line = (name: string, values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(1);
    process.stdout.write(`${name}  p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)} ms over ${values.length}\n`);
  };
  line("first blackout     ", pressTimes.first);
  line("blackout → dark    ", pressTimes.blackout);
  line("blackout released  ", pressTimes.release);
  line("blinder → full     ", pressTimes.blinder);
  line("master → dimmed    ", pressTimes.master);
  line("seek → right frame ", seeks);
  line("pause → still      ", pauses);
  line("stop → dark       ", stops);
  socket.close();

  /** Presses of a desk while a song plays. Full light is the blinder's; a second between two flashes, for the limiter. */
  async function measureDesk() {
    const desk = new WebSocket(`${product.url.replace("http", "ws")}/lights/desk`, { headers: { authorization } });
    let isHeard = false;
    desk.on("message", () => (isHeard = true));
    await until(() => isHeard, 5000);
    let lastId = 0;
    const pressAfter = async (control: string, value: unknown, isIt: (slots: Uint8Array) => boolean) => {
      const sentAt = performance.now();
      node.packets.length = 0;
      desk.send(JSON.stringify({ type: "press", id: `bench ${++lastId}`, control, value }));
      await until(() => node.packets.some(({ slots }) => isIt(slots)), 3000);
      const taken = node.packets.find(({ slots }) => isIt(slots))!.at - sentAt;
      await new Promise((later) => setTimeout(later, 400 + Math.random() * 50));
      return taken;
    };
    const brightest = (slots: Uint8Array) => Math.max(...slots);
    const times = { first: [] as number[], blackout: [] as number[], release: [] as number[] };
    const more = { blinder: [] as number[], master: [] as number[] };
    await prepare();
    say({ type: "play", position: 3 });
    await until(() => node.packets.some(({ slots }) => brightest(slots) > 0), 5000);
    await new Promise((later) => setTimeout(later, 500));
    for (let round = 0; round < ROUNDS; round++) {
      const dark = await pressAfter("blackout", true, (slots) => brightest(slots) === 0);
      times[round === 0 ? "first" : "blackout"].push(dark);
      times.release.push(await pressAfter("blackout", null, (slots) => brightest(slots) > 0));
      more.blinder.push(await pressAfter("blinder", true, (slots) => slots.slice(0, 12).every((slot) => slot === 255)));
      more.master.push(await pressAfter("master", 0.5, (slots) => brightest(slots) === 128));
      await pressAfter("all", null, (slots) => brightest(slots) !== 128);
    }
    desk.close();
    say({ type: "stop" });
    await until(() => mode === "idle", 3000);
    return { ...times, ...more };
  }
} finally {
  node.close();
  await product.stop();
  await removeData(product.dataDir);
}

/**
 * Whether lamps show a frame of the plan. The flash limiter keeps a lamp dimmer for up to a second when the jump to its new light
 * would be one flash too many; at most half of the lamps may be dimmed so.
 */
function isFrame(slots: Uint8Array, frame: Uint8Array): boolean {
  let shown = 0;
  for (let first = 0; first < LAMPS * SLOTS_OF_A_LAMP; first += SLOTS_OF_A_LAMP) {
    const errors = [0, 1, 2].map((slot) => slots[first + slot]! - frame[first + slot]!);
    if (errors.some((error) => error > 2)) return false;
    if (errors.every((error) => error >= -2)) shown++;
  }
  return shown >= LAMPS / 2;
}
