// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** A browser whose WebGL is drawn by what is named; "" has none. */
function browserWith(renderer: string): void {
  if (renderer === "") return;
  vi.stubGlobal("WebGL2RenderingContext", class {});
  const context = {
    getExtension: (name: string) =>
      name === "WEBGL_debug_renderer_info" ? { UNMASKED_RENDERER_WEBGL: 1 } : { loseContext: () => undefined },
    getParameter: () => renderer,
  };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
}

/** As a page that is just opened reads it. */
const freshPage = () => import("./stage-look.ts");

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("how a browser shows stages", () => {
  it.each([
    ["", { isPossible: false, isFast: false }],
    [
      "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)",
      { isPossible: true, isFast: false },
    ],
    ["llvmpipe (LLVM 15.0.7, 256 bits)", { isPossible: true, isFast: false }],
    ["ANGLE (NVIDIA, NVIDIA GeForce RTX 3060, OpenGL 4.5)", { isPossible: true, isFast: true }],
  ])("knows of %s what it can do", async (renderer, drawing) => {
    browserWith(renderer);
    const { drawingHere } = await freshPage();
    expect(drawingHere()).toEqual(drawing);
  });

  it("is remembered once a person chose", async () => {
    const before = await freshPage();
    expect(before.stageLook.get()).toBeUndefined();
    before.chooseStageLook("3d");
    vi.resetModules();
    const after = await freshPage();
    expect(after.stageLook.get()).toBe("3d");
  });

  it("is chosen again where something else is stored", async () => {
    localStorage.setItem("followspot.stage", "round");
    const { stageLook } = await freshPage();
    expect(stageLook.get()).toBeUndefined();
  });
});
