import type { LightingPlan, Rig } from "@followspot/contract";
import { compilePreview, litByShow } from "@followspot/lighting";
import { FILM_QUALITY } from "./stage-3d/quality.ts";
import { StageRenderer } from "./stage-3d/stage-renderer.ts";
import { viewOf } from "./stage-3d/stage-views.ts";

/** What `song -- film` and `song -- still` ask for. */
interface Job {
  readonly plan: LightingPlan;
  readonly rig: Rig;
  /** Song seconds of the pictures. */
  readonly times: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** Every picture at its exact song second, one after another; the next one is drawn while one is on its way. */
async function film(): Promise<void> {
  const answer = await fetch(`/job${location.search}`);
  const { plan, rig, times, width, height } = (await answer.json()) as Job;
  const { beams, light } = litByShow(compilePreview(plan, rig), rig);
  const renderer = new StageRenderer(document.createElement("canvas"), beams);
  renderer.quality = FILM_QUALITY;
  renderer.resize(width, height);
  let sent: Promise<unknown> = Promise.resolve();
  for (const t of times) {
    light(t);
    renderer.draw(beams, viewOf("front", beams), t);
    const picture = renderer.pixels();
    await sent;
    sent = fetch(`/picture${location.search}`, { method: "POST", body: picture });
  }
  await sent;
}

film().catch((error: unknown) => fetch(`/failed${location.search}`, { method: "POST", body: String(error) }));
