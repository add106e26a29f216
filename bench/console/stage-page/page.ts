import {
  compilePreview,
  GENERIC_FIXTURES,
  litByShow,
  planShow,
  REFERENCE_RIGS,
} from "../../../packages/lighting/src/index.ts";
import { CLUB_FORM, syntheticAnalysis } from "../../../packages/lighting/src/testing/synthetic-analysis.ts";
import type { Rig, RigLight } from "../../../packages/contract/src/index.ts";
import { QUALITIES, QualityKeeper } from "../../../apps/console/src/stage-3d/quality.ts";
import { StageRenderer } from "../../../apps/console/src/stage-3d/stage-renderer.ts";
import { VIEWS } from "../../../apps/console/src/stage-3d/stage-views.ts";

export interface StageRun {
  readonly rig: "32 lamps" | "120 heads";
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** A step that stays; without one it is chosen by the time frames take. */
  readonly step?: number;
}

export interface StageFigures {
  readonly heads: number;
  /** Script of each frame: states, beams and what three.js does; milliseconds. */
  readonly scriptMs: readonly number[];
  readonly framesPerSecond: number;
  /** The step it ended at. */
  readonly step: number;
  /** From the press of a key to its handler, milliseconds. */
  readonly keyMs: readonly number[];
}

declare global {
  interface Window {
    runStage: (run: StageRun) => Promise<StageFigures>;
  }
}

/** Where the drop of the form begins to be busy, song seconds. */
const BUSY = 66;

window.runStage = async ({ rig: name, width, height, seconds, step }) => {
  const rig = name === "32 lamps" ? REFERENCE_RIGS[2]!.rig : rigOfHeads(120);
  const plan = planShow(syntheticAnalysis({ form: CLUB_FORM }), { groups: rig.groups, seed: 1 });
  const { beams, light } = litByShow(compilePreview(plan, rig), rig);
  const canvas = document.createElement("canvas");
  canvas.style.cssText = `width: ${width}px; height: ${height}px`;
  document.body.append(canvas);
  const renderer = new StageRenderer(canvas, beams);
  renderer.resize(width, height);
  const keeper = new QualityKeeper(step);
  renderer.quality = QUALITIES[keeper.step]!;
  const scriptMs: number[] = [];
  const keyMs: number[] = [];
  const onKey = ({ timeStamp }: KeyboardEvent) => void keyMs.push(performance.now() - timeStamp);
  addEventListener("keydown", onKey);

  let before = await nextFrame();
  const start = before;
  while (before - start < seconds * 1000) {
    const now = await nextFrame();
    if (step === undefined && keeper.frame(now - before)) renderer.quality = QUALITIES[keeper.step]!;
    before = now;
    const t = BUSY + (((now - start) / 1000) % 20);
    const from = performance.now();
    light(t);
    renderer.draw(beams, VIEWS.front, t);
    scriptMs.push(performance.now() - from);
  }
  removeEventListener("keydown", onKey);
  renderer.dispose();
  canvas.remove();
  const framesPerSecond = (1000 * scriptMs.length) / (before - start);
  return { heads: beams.count, scriptMs: scriptMs.slice(3), framesPerSecond, step: keeper.step, keyMs };
};

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Bars of eight heads, and moving heads between them. */
function rigOfHeads(count: number): Rig {
  const [bar, head] = ["generic_rgb_bar", "generic_moving_wash"].map((key) =>
    GENERIC_FIXTURES.find((fixture) => fixture.key === key)!.modes.at(-1)!,
  );
  const lights: RigLight[] = [];
  let [universe, address, heads] = [1, 1, 0];
  while (heads < count) {
    const isBar = lights.length % 3 === 0 && heads + 8 <= count;
    const mode = isBar ? bar! : head!;
    if (address + mode.channels.length > 512) [universe, address] = [universe + 1, 1];
    lights.push({ id: lights.length + 1, label: "", universe, address, mode, enabled: true });
    address += mode.channels.length;
    heads += isBar ? 8 : 1;
  }
  return { lights, groups: [] };
}
