import { deskControlOf, UNIVERSE_SLOTS, type FixtureMode } from "@followspot/contract";
import type { GetLightOnStageResponse, Light, LightGroup, Output, OutputHealth } from "@followspot/contract/lights";
import { undrivenNote } from "@followspot/lighting";
import { troubleOf } from "../../outputs/output-truth.ts";
import { darkStrings as text } from "./why-dark.strings.ts";

/** Stages of the signal path of a fixture's light, in order, from the stage process to the DMX packet. */
export const STOPS = [
  "stage",
  "holder",
  "master",
  "switch",
  "plan",
  "desk",
  "light",
  "definition",
  "address",
  "output",
  "reached",
  "packet",
] as const;
export type StopKind = (typeof STOPS)[number];

/** Action of a stop's fix button. */
export type Fix =
  | { readonly do: "press"; readonly control: string; readonly value: string | null; readonly words: string }
  | { readonly do: "turn on"; readonly words: string }
  | { readonly do: "edit"; readonly words: string }
  | { readonly do: "outputs"; readonly words: string };

/** Finding at one stop of the signal path. */
export interface Passage {
  readonly says: string;
  /** Whether the light is blocked at this stop. */
  readonly isLost: boolean;
  readonly fix?: Fix;
}

export interface Stop extends Passage {
  readonly kind: StopKind;
  /** Whether no earlier stop blocks the light. If false, the finding is not the reason why the fixture is dark. */
  readonly isReached: boolean;
}

/** Input of the diagnosis: the known state of one fixture. */
export interface LampFacts {
  readonly light: Light;
  /** Mode as loaded by the stage; undefined if the fixture definition or mode was deleted. */
  readonly mode: FixtureMode | undefined;
  /** Every group of the rig. */
  readonly groups: readonly Pick<LightGroup, "id" | "name" | "enabled" | "fixtureIds">[];
  /** Sentence about overlapping channels; undefined without an overlap. */
  readonly overlap: string | undefined;
  /** Outputs of its universe. */
  readonly outputs: readonly Output[];
  readonly health: readonly OutputHealth[];
  /** State reported by the stage, or the reason why the stage is unavailable. */
  readonly stage: GetLightOnStageResponse | { readonly why: string };
}

/** Diagnoses the signal path stop by stop. Stops after one that blocks the light are not reached. */
export function stopsOf(facts: LampFacts): readonly Stop[] {
  let isReached = true;
  return STOPS.map((kind) => {
    const passage = passageAt(kind, facts);
    const stop = { kind, ...passage, isReached };
    if (passage.isLost) isReached = false;
    return stop;
  });
}

/** Returns the stop that blocks the light; undefined if the light is sent to the fixture. */
export const lostAt = (stops: readonly Stop[]): Stop | undefined =>
  stops.find(({ isLost, isReached }) => isLost && isReached);

function passageAt(kind: StopKind, facts: LampFacts): Passage {
  const { stage } = facts;
  if (kind === "switch") return atSwitch(facts);
  if (kind === "definition") return atDefinition(facts);
  if (kind === "address") return atAddress(facts);
  if (kind === "output") return atOutput(facts);
  if (kind === "reached") return atReached(facts);
  if ("why" in stage) return kind === "stage" ? lost(stage.why) : passes(text.unknown);
  if (kind === "stage") return passes(text.stageRuns);
  if (kind === "holder") return atHolder(stage);
  if (kind === "master") return atMaster(stage);
  if (kind === "plan") return atPlan(stage, facts);
  if (kind === "desk") return atDesk(stage, facts);
  if (kind === "light") return atLight(stage);
  return atPacket(stage, facts);
}

const passes = (says: string): Passage => ({ says, isLost: false });
const lost = (says: string, fix?: Fix): Passage => ({ says, isLost: true, ...(fix && { fix }) });

function atHolder({ holder, position }: GetLightOnStageResponse): Passage {
  if (holder === "nobody")
    return lost(text.noSource, { do: "press", control: "idle", value: "house", words: text.house });
  return passes(text.holders[holder]?.(position) ?? holder);
}

function atMaster({ blackout, master }: GetLightOnStageResponse): Passage {
  if (blackout) return lost(text.blackout, { do: "press", control: "blackout", value: null, words: text.endBlackout });
  if (master === 0) return lost(text.masterDown, { do: "press", control: "master", value: null, words: text.masterUp });
  return passes(text.master(master));
}

function atSwitch({ light, groups }: LampFacts): Passage {
  if (!light.enabled) return lost(text.off, { do: "turn on", words: text.turnOn });
  const own = groups.filter(({ fixtureIds }) => fixtureIds.includes(light.id));
  if (own.length > 0 && own.every(({ enabled }) => !enabled))
    return lost(text.groupsOff(own.map(({ id, name }) => name || id)));
  return passes(text.on);
}

function atPlan(
  { holder, light, lanes, nextAt, position, idle, isKnown }: GetLightOnStageResponse,
  { groups, mode }: LampFacts,
): Passage {
  if (!light) return passes(withoutLight(holder));
  if (mode && !isKnown) return lost(text.notLit);
  if (light.asked > 0) return passes(text.asked(light.asked, holder === "idle" ? "" : lanesInWords(lanes, groups)));
  if (holder === "idle")
    return idle === "dark"
      ? lost(text.idleDark, { do: "press", control: "idle", value: "house", words: text.house })
      : lost(text.idleElsewhere);
  if (holder === "desk") return lost(text.deskElsewhere);
  if (lanes.length === 0) return lost(text.noLane, { do: "edit", words: text.edit });
  const who = lanesInWords(lanes, groups);
  return lost(nextAt === undefined ? text.notAsked(who) : text.askedLater(who, nextAt - position));
}

/** Returns the text for a fixture for which the stage computes no light. */
function withoutLight(holder: string): string {
  if (holder === "replay") return text.recorded;
  return holder === "nobody" ? text.nothingAsked : text.unknown;
}

/** Formats lanes as text: "role:wash" means the fixtures of a role, "all" every fixture; other lanes are group IDs. */
const lanesInWords = (lanes: readonly string[], groups: LampFacts["groups"]): string =>
  lanes
    .map((lane) =>
      lane.startsWith("role:")
        ? text.role(lane.slice("role:".length))
        : lane === "all"
          ? text.allLamps
          : groups.find(({ id }) => id === lane)?.name || lane,
    )
    .join(", ");

function atDesk({ light, darkenedBy }: GetLightOnStageResponse, { groups }: LampFacts): Passage {
  const [control] = darkenedBy;
  if (control !== undefined) {
    const { kind, group = "" } = deskControlOf(control) ?? {};
    const name = groups.find(({ id }) => id === group)?.name || group;
    const says = kind === "solo" ? text.soloed(name) : text.muted(name);
    return lost(says, { do: "press", control, value: null, words: kind === "solo" ? text.endSolo : text.unmute });
  }
  if (light && light.asked > 0 && light.afterDesk === 0) return lost(text.deskDark);
  return passes(text.deskFree);
}

/** Level below which the DMX byte rounds to 0, as a fraction of full. */
const LEAST_LIGHT = 0.5 / 255;

function atLight({ light, holder }: GetLightOnStageResponse): Passage {
  if (!light) return passes(withoutLight(holder));
  if (light.color === "#000000") return lost(text.black);
  if (light.shown < LEAST_LIGHT) return lost(text.tooDim);
  return passes(text.shines(light.shown, light.color));
}

function atDefinition({ mode, light }: LampFacts): Passage {
  if (!mode) return lost(text.noMode(light.mode), { do: "edit", words: text.edit });
  const note = undrivenNote(mode);
  if (note === undefined) return passes(text.driven(mode.name));
  const isDark = mode.channels.every(({ default: rests }) => rests === 0);
  return isDark ? lost(note, { do: "edit", words: text.edit }) : passes(note);
}

function atAddress({ light, overlap }: LampFacts): Passage {
  const end = light.dmxAddress + light.channelCount - 1;
  if (end > UNIVERSE_SLOTS) return lost(text.past(end, UNIVERSE_SLOTS), { do: "edit", words: text.edit });
  if (overlap !== undefined) return lost(overlap, { do: "edit", words: text.edit });
  return passes(text.address(light.universe, light.dmxAddress, end));
}

function atOutput({ light, outputs }: LampFacts): Passage {
  if (outputs.length === 0) return lost(text.noOutput(light.universe), { do: "outputs", words: text.toOutputs });
  return passes(text.hasOutput(light.universe, outputs.length));
}

/** Checks whether an output works. One is enough, because several outputs may send the same universe. */
function atReached({ outputs, health }: LampFacts): Passage {
  const troubles = outputs.map((output) =>
    troubleOf(
      output,
      health.find(({ id }) => id === output.id),
    ),
  );
  if (outputs.length === 0 || troubles.includes(undefined)) return passes(text.reached);
  return lost(troubles.join(" "), { do: "outputs", words: text.toOutputs });
}

const SHINES = ["red", "green", "blue", "white", "warmWhite", "coolWhite", "amber", "uv", "lime", "indigo"];

function atPacket({ sent }: GetLightOnStageResponse, { light, mode }: LampFacts): Passage {
  if (sent.length === 0 || !mode) return lost(text.nothingLeft);
  const carries = text.carries(light.dmxAddress, sent);
  const valuesOf = (isMeant: (kind: string) => boolean) => sent.filter((_, i) => isMeant(mode.channels[i]?.kind ?? ""));
  const shut = mode.channels.findIndex(({ kind, closed, open }, i) => kind === "shutter" && open !== closed && sent[i] === closed); // prettier-ignore
  if (shut >= 0) return lost(text.shut(carries, light.dmxAddress + shut));
  const isAllZero = (values: readonly number[]) => values.length > 0 && values.every((value) => value === 0);
  if (isAllZero(valuesOf((kind) => kind === "intensity"))) return lost(text.dimmerZero(carries));
  if (isAllZero(valuesOf((kind) => SHINES.includes(kind)))) return lost(text.coloursZero(carries));
  return passes(carries);
}
