import type { SectionLabel } from "@followspot/contract";
import { writeBeams } from "../beams/write-beams.ts";
import type { LookContext } from "../vocabulary/look-context.ts";
import { writeBreak } from "./break.ts";
import { writeBridge } from "./bridge.ts";
import { writeBuild } from "./build.ts";
import { writeCalm } from "./calm.ts";
import { writeIntro } from "./intro.ts";
import { writeOutro } from "./outro.ts";
import { writePeak } from "./peak.ts";
import { writeVerse } from "./verse.ts";

type Recipe = (context: LookContext, burstBars: number) => void;

const RECIPES: Record<SectionLabel, Recipe> = {
  intro: writeIntro,
  verse: writeVerse,
  build: (context) => writeBuild(context, context.section.startBeat),
  chorus: writePeak,
  drop: writePeak,
  break: writeBreak,
  bridge: writeBridge,
  outro: writeOutro,
};

/**
 * Writes the look of one section into the lanes.
 *
 * @param burstBars bars of strobe at its start
 */
export function writeLook(context: LookContext, burstBars: number): void {
  const write = context.form.hasBeat ? RECIPES[context.section.label] : writeCalm;
  write(context, burstBars);
  writeBeams(context);
}
