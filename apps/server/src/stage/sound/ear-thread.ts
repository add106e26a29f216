import { parentPort } from "node:worker_threads";
import type { HeardSound } from "@followspot/contract";
import { LiveEar } from "@followspot/analysis";
import { planLive, type LivePlan, type LiveOptions } from "@followspot/lighting";

/* Analyzes live sound and plans shows for it in a separate thread: neither may delay the stage's rendering. */

export type EarOrder =
  /** Starts another stream. Results of its analysis carry its number. */
  | { readonly type: "open"; readonly opening: number; readonly sampleRate: number }
  /** 16-bit mono */
  | { readonly type: "sound"; readonly samples: Int16Array }
  | { readonly type: "plan"; readonly options: LiveOptions };

export type EarNews =
  | { readonly type: "heard"; readonly opening: number; readonly heard: HeardSound }
  | { readonly type: "planned"; readonly plan: LivePlan };

/**
 * Shortest time between two results without an onset, seconds. Light is rendered 43.8 times a second; onsets are
 * reported at once.
 */
const TELL_SECONDS = 0.018;

let ear: LiveEar | undefined;
let opening = 0;
let told = Number.NEGATIVE_INFINITY;

parentPort?.on("message", (order: EarOrder) => {
  switch (order.type) {
    case "open":
      ear = new LiveEar(order.sampleRate);
      opening = order.opening;
      told = Number.NEGATIVE_INFINITY;
      return;
    case "sound":
      if (ear) tellHeard(ear.push(floatsOf(order.samples)));
      return;
    case "plan":
      return tell({ type: "planned", plan: planLive(order.options) });
    default:
      return order satisfies never;
  }
});

function floatsOf(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) floats[i] = samples[i]! / 32_768;
  return floats;
}

function tellHeard(heard: HeardSound): void {
  if (heard.onset === 0 && heard.seconds - told < TELL_SECONDS) return;
  told = heard.seconds;
  tell({ type: "heard", opening, heard });
}

function tell(news: EarNews): void {
  parentPort?.postMessage(news);
}
