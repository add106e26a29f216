import type { Case } from "./case.ts";
import { dynamicsMeasures } from "./dynamics.ts";
import { eventMeasures } from "./events.ts";
import { eyeMeasures } from "./eye.ts";
import { formMeasures } from "./form.ts";
import { dullnessGates, eyeGates, gateMeasures } from "./gates.ts";
import type { Measure } from "./measure.ts";
import { tasteMeasures } from "./taste.ts";

/** All measures of one show on one rig. */
export interface Measured {
  /** Gates, all of which must pass. */
  readonly gates: readonly Measure[];
  /** Gates against dullness: a show that fails these is safe, but dull to watch. */
  readonly lively: readonly Measure[];
  /** Measures with target bands. They are never combined into one score. */
  readonly measures: readonly Measure[];
}

export function measureCase(c: Case): Measured {
  const measures = [
    ...formMeasures(c),
    ...dynamicsMeasures(c),
    ...eventMeasures(c),
    ...tasteMeasures(c),
    ...eyeMeasures(c),
  ];
  return { gates: [...gateMeasures(c), ...eyeGates(measures)], lively: dullnessGates(measures), measures };
}
