import { outputTestOrderSchema, type OutputTestAnswer, type Rig } from "@followspot/contract";
import { OUTPUT_TEST_SECONDS, outputTestPlan } from "@followspot/lighting";
import type { Hands } from "./desk/desk-rules.ts";
import type { Lamps, Source } from "./lamps/lamps.ts";
import { drawingOf, type ShowScene } from "./lamps/scene.ts";

export interface OutputTestPorts {
  readonly lamps: Lamps;
  readonly hands: () => Hands;
  /** Enabled outputs. */
  readonly outputs: () => readonly { readonly id: string; readonly universe: number }[];
  readonly rig: () => Rig;
  readonly refresh: () => void;
  /** Monotonic clock, ms. */
  readonly now: () => number;
}

/** Controls that do not reduce the show's light. */
const QUIET: readonly string[] = ["idle", "tempo", "sound"];

/**
 * Lights the fixtures of one output for two seconds, so that an operator sees whether it works. The current source
 * continues underneath; covering it requires a take-over.
 */
export class OutputTest {
  readonly #ports: OutputTestPorts;
  #end: NodeJS.Timeout | undefined;

  constructor(ports: OutputTestPorts) {
    this.#ports = ports;
  }

  /** @returns the result; undefined if the body is not a valid order */
  answer(body: unknown): OutputTestAnswer | undefined {
    const order = outputTestOrderSchema.safeParse(body);
    if (!order.success) return undefined;
    const { lamps, outputs, rig, hands, now } = this.#ports;
    const { output: id, by, take_over: takesOver } = order.data;
    const output = outputs().find((each) => each.id === id);
    if (!output) return { state: "off" };
    if (hands()["blackout"]) return { state: "blackout", holder_name: hands()["blackout"]!.owner_name };
    const source = testSource(id, by, now());
    const [control] = Object.keys(hands()).filter((key) => !QUIET.includes(key));
    if (control !== undefined && !takesOver)
      return { state: "held", holder: "desk", holder_name: hands()[control]!.owner_name };
    const inTheWay = lamps.request(source, now(), takesOver);
    if (inTheWay) return { state: "held", holder: inTheWay.kind, holder_name: "" };
    lamps.ready(source);
    clearTimeout(this.#end);
    this.#end = setTimeout(() => {
      lamps.release(source);
      this.#ports.refresh();
    }, OUTPUT_TEST_SECONDS * 1000);
    this.#ports.refresh();
    const lit = rig().lights.filter(({ enabled, universe }) => enabled && universe === output.universe);
    return { state: "sent", lamps: lit.length, seconds: OUTPUT_TEST_SECONDS };
  }

  close(): void {
    clearTimeout(this.#end);
  }
}

function testSource(output: string, by: string, fromMs: number): Source {
  const isRunningAt = (ms: number) => ms < fromMs + OUTPUT_TEST_SECONDS * 1000;
  const sceneAt = (ms: number): ShowScene | undefined =>
    isRunningAt(ms)
      ? { kind: "show", position: (ms - fromMs) / 1000, allowsStrobe: false, houseMix: 0, master: 1 }
      : undefined;
  const page = `test ${output}`;
  const holder = { person: by, page, connection: page };
  return { kind: "test", id: output, holder, isHeld: true, drawing: drawingOf(outputTestPlan(), { output }), sceneAt, isRunningAt }; // prettier-ignore
}
