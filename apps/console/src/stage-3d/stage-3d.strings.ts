import type { ViewName } from "./stage-views.ts";

export const stage3dStrings = {
  preview: "Stage preview in three dimensions",
  look: "Stage preview",
  looks: { "3d": "3D", flat: "Flat" },
  views: "View of the stage",
  view: {
    front: "Front of house",
    left: "Left",
    top: "Top",
    stage: "From the stage",
  } satisfies Record<ViewName, string>,
  closer: "Closer",
  farther: "Farther",
  hint: "Drag to look around, wheel to come closer",
  missing: "3D is not available: this browser has no WebGL",
};
