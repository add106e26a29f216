import { HAZE, IDENTIFY, SHOW_SIZE, type IdleLook } from "@followspot/contract";
import type { LiveLight } from "@followspot/lighting";
import { sizeAt, type Hands } from "./desk-rules.ts";
import type { ShowScene, SilentScene } from "../lamps/scene.ts";

/** Longest strobe burst, ms; after it the light is steady. */
const STROBE_LIMIT_MS = 30_000;
/** Length of one cycle of a movement effect: in beats of the song or of the tapped tempo, in seconds without either. */
export const FIGURE_BEATS = 8;
const FIGURE_SECONDS = 8;
/** Tempo of the changing color before a user taps, beats per minute. */
const IDLE_BPM = 30;

/** A scene with the desk controls applied, ready to render. */
export type StageScene =
  | SilentScene
  | (ShowScene & {
      /** Look that `houseMix` mixes in; the default look if omitted. */
      readonly idle?: IdleLook;
      /** Beats of the tapped tempo, for light without a song. */
      readonly beats?: number;
      /** Phase of the desk's strobe: turns since the press, or one per beat of the song. */
      readonly strobe?: number | "song";
      /** Whether identified fixtures are lit at this moment. */
      readonly identify?: boolean;
      /** Nothing plays and a color is set: its fixtures shine at the master's level. */
      readonly isColorLight?: boolean;
      /** Phase of the desk's movement effects: cycles done and the length of one, or by the song's beats. */
      readonly figure?: { readonly cycles: number; readonly seconds: number } | "song";
      /** How much more or less intense than planned the show is, -1..1; as planned if omitted. */
      readonly size?: number;
      /** Whether hazers run; blackout stops them too. */
      readonly isHazing?: boolean;
    });

/**
 * Applies the desk to a scene: hold, size, idle look, strobe, master, blackout. Pure: the show continues underneath, so
 * a released control reveals it at its current position.
 */
export function sceneWithDesk(scene: StageScene, hands: Hands, ms: number): StageScene {
  const under = scene.kind === "show" ? scene : lightOfDesk(hands);
  if (!under) return scene;
  const { size, idle, master, blackout } = hands;
  const hold = (hands["hold"]?.endsMs ?? Number.POSITIVE_INFINITY) > ms ? hands["hold"] : undefined;
  const beats = beatsAt(hands, ms);
  const strobe = strobeAt(hands, scene, beats, ms);
  const identify = identifyAt(hands, ms);
  const isHazing = hands["haze"] && !blackout && ms - hands["haze"].sinceMs < HAZE.ms;
  return {
    ...under,
    ...(hold &&
      scene.kind === "show" && { position: hold.position, allowsStrobe: false, ...heldLight(scene.live, hold) }),
    ...(size && { size: sizeAt(size, ms) / SHOW_SIZE.most }),
    // Fixtures that lost their show in a failure light the room, whatever idle look was chosen.
    ...(!under.isSafe && idle && { idle: idle.value as IdleLook }), // checked when it was pressed
    ...(strobe !== undefined && { strobe }),
    ...(identify !== undefined && { identify }),
    ...(isHazing && { isHazing }),
    ...(hasFigure(hands) && { figure: figureAt(hands, scene, ms) }),
    beats,
    master: blackout ? 0 : under.master * Number(master?.value ?? 1),
  };
}

/** Freezes a held look, so that it does not follow the sound. */
function heldLight(live: LiveLight | undefined, { position }: { readonly position: number }): { live?: LiveLight } {
  return live ? { live: { ...live, position, from: undefined, ride: 1 } } : {};
}

/** Returns the scene while nothing plays: light for the idle look, or for the desk's own light. */
function lightOfDesk(hands: Hands): (StageScene & { kind: "show" }) | undefined {
  const hasColor = Object.keys(hands).some((key) => key === "color" || key === "pair" || key.startsWith("color/"));
  const isLookedFor = Object.keys(hands).some((key) => isIdentify(key) || key.startsWith("aim/"));
  if (!hands["idle"] && !hands["blinder"] && !hands["strobe"] && !hands["haze"] && !hasColor && !isLookedFor)
    return undefined;
  // Other fixtures keep the default look beside a group's color. If the idle look is dark, colors wait.
  const look: IdleLook = hasColor ? "house" : "dark";
  const isColorLight = hasColor && hands["idle"]?.value !== "dark";
  return {
    kind: "show",
    position: 0,
    allowsStrobe: false,
    houseMix: 1,
    master: 1,
    idle: look,
    ...(isColorLight && { isColorLight }),
  };
}

const isIdentify = (key: string) => key.startsWith("identify/");

/** Blinks all identified fixtures together, from the first identify on. */
function identifyAt(hands: Hands, ms: number): boolean | undefined {
  const begun = Object.keys(hands).flatMap((key) => (isIdentify(key) ? [hands[key]!.sinceMs] : []));
  if (begun.length === 0) return undefined;
  return (ms - Math.min(...begun)) % IDENTIFY.turnMs < IDENTIFY.litMs;
}

const hasFigure = (hands: Hands) => Object.keys(hands).some((key) => key === "figure" || key.startsWith("figure/"));

function figureAt({ tempo }: Hands, scene: StageScene, ms: number): { cycles: number; seconds: number } | "song" {
  if (scene.kind === "show" && scene.allowsStrobe) return "song";
  const seconds = tempo ? (FIGURE_BEATS * 60) / Number(tempo.value) : FIGURE_SECONDS;
  return { cycles: (ms - (tempo?.sinceMs ?? 0)) / 1000 / seconds, seconds };
}

function beatsAt({ tempo }: Hands, ms: number): number {
  if (!tempo) return (ms * IDLE_BPM) / 60_000;
  return ((ms - tempo.sinceMs) * Number(tempo.value)) / 60_000;
}

function strobeAt({ strobe, tempo }: Hands, scene: StageScene, beats: number, ms: number): number | "song" | undefined {
  if (!strobe) return undefined;
  if (ms - strobe.sinceMs > STROBE_LIMIT_MS) return 0;
  const hz = Number(strobe.value);
  if (hz > 0) return (hz * (ms - strobe.sinceMs)) / 1000;
  if (scene.kind === "show" && scene.allowsStrobe) return "song";
  if (!tempo) return (2 * (ms - strobe.sinceMs)) / 1000;
  return beats / beatsPerFlash(Number(tempo.value) / 60);
}

/** Returns the beats per flash that keep to the flash rate limit: 1, 2, 4 … @param rate beats per second */
export function beatsPerFlash(rate: number, mostHz = 2.75): number {
  let beats = 1;
  while (rate / beats > mostHz) beats *= 2;
  return beats;
}
