import { createStore } from "../lib/store.ts";

export const STAGE_LOOKS = ["3d", "flat"] as const;
export type StageLook = (typeof STAGE_LOOKS)[number];

const KEY = "followspot.stage";

/** How this browser shows stages; undefined until a person chose: then it is what the machine draws well. */
export const stageLook = createStore<StageLook | undefined>(remembered());

export function chooseStageLook(next: StageLook): void {
  stageLook.set(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // private window: the choice lasts as long as the page
  }
}

/** Whether there is a WebGL 2 at all, and one that a graphics card draws. */
export interface Drawing {
  readonly isPossible: boolean;
  readonly isFast: boolean;
}

/** Names of renderers that draw by the processor alone. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let known: Drawing | undefined;

/** Asks the browser once. */
export function drawingHere(): Drawing {
  return (known ??= askBrowser());
}

function askBrowser(): Drawing {
  if (typeof WebGL2RenderingContext === "undefined") return { isPossible: false, isFast: false };
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return { isPossible: false, isFast: false };
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  // Browsers keep only so many contexts: this one is given back at once.
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return { isPossible: true, isFast: !SOFTWARE.test(renderer) };
}

function remembered(): StageLook | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return STAGE_LOOKS.find((each) => each === kept);
  } catch {
    return undefined;
  }
}
