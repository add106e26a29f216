import { parentPort } from "node:worker_threads";
import type { HeardSound } from "@followspot/contract";
import { LiveEar } from "@followspot/analysis";
import { planLive, type LivePlan, type LiveWishes } from "@followspot/lighting";

/*
 * Hears live sound and plans shows for it, in a thread of its own: neither may keep the stage from drawing.
 */

export type EarOrder =
  | { readonly type: "open"; readonly sampleRate: number }
  /** 16-bit mono */
  | { readonly type: "sound"; readonly samples: Int16Array }
  | { readonly type: "plan"; readonly wishes: LiveWishes };

export type EarNews =
  { readonly type: "heard"; readonly heard: HeardSound } | { readonly type: "planned"; readonly plan: LivePlan };

let ear: LiveEar | undefined;

parentPort?.on("message", (order: EarOrder) => {
  switch (order.type) {
    case "open":
      ear = new LiveEar(order.sampleRate);
      return;
    case "sound":
      if (ear) tell({ type: "heard", heard: ear.push(Float32Array.from(order.samples, (value) => value / 32_768)) });
      return;
    case "plan":
      return tell({ type: "planned", plan: planLive(order.wishes) });
    default:
      return order satisfies never;
  }
});

function tell(news: EarNews): void {
  parentPort?.postMessage(news);
}
