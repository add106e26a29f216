import { listenForDmx, type DmxNode } from "../../apps/server/src/stage/testing/dmx-node.ts";

/** Number of slots of a par in its mode of four channels: dimmer, red, green, blue. */
const PAR_SLOTS = 4;
export const PARS = 8;

/** Slots received by a node, with the time on the monotonic clock. */
export interface Frame {
  readonly ms: number;
  readonly slots: Uint8Array;
}

/** A node on loopback that records all frames, also across a restart on the same port. */
export class LampsSeen {
  readonly frames: Frame[] = [];
  readonly port: number;
  #node: DmxNode;
  readonly #collecting: NodeJS.Timeout;

  private constructor(node: DmxNode) {
    this.#node = node;
    this.port = node.port;
    this.#collecting = setInterval(() => this.collect(), 50);
  }

  static async listen(): Promise<LampsSeen> {
    return new LampsSeen(await listenForDmx());
  }

  collect(): void {
    for (const { ms, bytes } of this.#node.packets.splice(0)) this.frames.push({ ms, slots: bytes.subarray(18) });
  }

  async switchOff(): Promise<void> {
    this.collect();
    await this.#node.close();
  }

  async switchOn(): Promise<void> {
    this.#node = await listenForDmx(this.port);
  }

  async close(): Promise<void> {
    clearInterval(this.#collecting);
    await this.#node.close();
  }
}

/** Returns the light of the rig, 0..1: the strongest color of each par times its dimmer. */
export function levelOf(slots: Uint8Array): number {
  let sum = 0;
  for (let par = 0; par < PARS; par++) {
    const [dimmer = 0, ...colors] = slots.subarray(par * PAR_SLOTS, (par + 1) * PAR_SLOTS);
    sum += (dimmer * Math.max(0, ...colors)) / (255 * 255);
  }
  return sum / PARS;
}
