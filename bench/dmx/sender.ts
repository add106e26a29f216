/** The senders recorder.ts compares: `stage` and `still` are the real output, `noise` only keeps the time. */
import { createSocket } from "node:dgram";
import { outputOfUrl } from "@followspot/contract";
import { ArtDmxPacket } from "../../apps/server/src/stage/packets/artnet-packet.ts";
import { monotonicMs, TICK_MS } from "../../apps/server/src/stage/outputs/frame-ring.ts";
import { drawingOf } from "../../apps/server/src/stage/lamps/scene.ts";
import { Stage } from "../../apps/server/src/stage/stage.ts";
import { movingPlan } from "./moving-plan.ts";
import { wideRig } from "./wide-rig.ts";

const [role, port, universes, lamps] = process.argv.slice(2);
if (role === "noise") keepTime(Number(port));
else sendByStage(Number(port), Number(universes), Number(lamps), role === "still");
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});

function sendByStage(udpPort: number, count: number, lamps: number, isStill: boolean): void {
  const start = monotonicMs();
  const stage = new Stage({ cid: new Uint8Array(16), name: "bench" }, (ms) => ({
    kind: "show",
    position: isStill ? 1 : (ms - start) / 1000,
    allowsStrobe: true,
    houseMix: 0,
    master: 1,
  }));
  const outputs = Array.from({ length: count }, (_, i) => outputOfUrl(`artnet://127.0.0.1:${udpPort}/${i}`, i + 1));
  stage.setRig(wideRig(count, lamps), outputs);
  stage.draw(drawingOf(movingPlan()));
  process.once("SIGTERM", () => {
    console.error(JSON.stringify({ role, ...stage.health(), outputs: undefined, universes: undefined }));
    void stage.close().then(() => process.exit(0));
  });
}

/** Sleeps to absolute deadlines as the output thread does, and does nothing else. */
function keepTime(udpPort: number): void {
  const packet = new ArtDmxPacket(0);
  const socket = createSocket("udp4");
  const neverWoken = new Int32Array(new SharedArrayBuffer(4));
  const start = monotonicMs();
  let tick = 0;
  const turn = () => {
    tick = Math.max(tick + 1, Math.floor((monotonicMs() - start) / TICK_MS) + 1);
    Atomics.wait(neverWoken, 0, 0, Math.max(0, start + tick * TICK_MS - monotonicMs()));
    socket.send(packet.next());
    setImmediate(turn);
  };
  socket.connect(udpPort, "127.0.0.1", turn);
  process.once("SIGTERM", () => process.exit(0));
}
