/** The senders recorder.ts compares: `stage` and `still` are the real output, `interval` is a plain timer. */
import { createSocket } from "node:dgram";
import { outputOfUrl } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { ArtDmxPacket } from "../../apps/server/src/stage/artnet-packet.ts";
import { monotonicMs } from "../../apps/server/src/stage/frame-ring.ts";
import { Stage } from "../../apps/server/src/stage/stage.ts";
import { movingPlan } from "./moving-plan.ts";

const [role, port] = process.argv.slice(2);
if (role === "interval") sendByTimer(Number(port));
else sendByStage(Number(port), role === "still");

function sendByStage(udpPort: number, isStill: boolean): void {
  const start = monotonicMs();
  const stage = new Stage({ cid: new Uint8Array(16), name: "bench" }, (ms) => ({
    kind: "show",
    position: isStill ? 1 : (ms - start) / 1000,
    allowsStrobe: true,
    houseMix: 0,
    master: 1,
  }));
  stage.setRig(parsRig(8), [outputOfUrl(`artnet://127.0.0.1:${udpPort}/0`)]);
  stage.setPlan(movingPlan());
  process.once("SIGTERM", () => {
    console.error(JSON.stringify(stage.health()));
    void stage.close().then(() => process.exit(0));
  });
}

function sendByTimer(udpPort: number): void {
  const packet = new ArtDmxPacket(0);
  const socket = createSocket("udp4");
  socket.connect(udpPort, "127.0.0.1", () => {
    setInterval(() => {
      packet.slots[0] = (packet.slots[0]! + 1) & 255;
      socket.send(packet.next());
    }, 1000 / 44);
  });
  process.once("SIGTERM", () => process.exit(0));
}
