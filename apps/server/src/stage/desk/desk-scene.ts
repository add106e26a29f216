import { HAZE, IDENTIFY, SHOW_SIZE, type IdleLook } from "@followspot/contract";
import type { LiveLight } from "@followspot/lighting";
import { sizeAt, type Hands } from "./desk-rules.ts";
import type { ShowScene, SilentScene } from "../lamps/scene.ts";

/** Longest strobing at a time; then lamps hold steady. */
const STROBE_LIMIT_MS = 30_000;
/** Beats of the song, or of the tapped tempo, for one cycle of a figure; seconds where there is neither. */
export const FIGURE_BEATS = 8;
const FIGURE_SECONDS = 8;
/** Beats a minute of the wandering colour until a person taps. */
const IDLE_BPM = 30;

/** A scene after the desk: what the stage draws at one moment. */
export type StageScene =
  | SilentScene
  | (ShowScene & {
      /** What `houseMix` mixes in; the house look when it is not said. */
      readonly idle?: IdleLook;
      /** Beats of the tapped tempo, for light without a song. */
      readonly beats?: number;
      /** The desk's strobe: turns since it was pressed, or one with each beat of the song. */
      readonly strobe?: number | "song";
      /** Whether lamps that are looked for are lit. */
      readonly identify?: boolean;
      /** Nothing plays, and a colour is in hand: its lamps shine at the master's level. */
      readonly isColorLight?: boolean;
      /** Cycles of the desk's figures: so many of so long, or by the song's beats. */
      readonly figure?: { readonly cycles: number; readonly seconds: number } | "song";
      /** How much bigger or calmer than its plan the show is drawn, -1..1; as it is planned when it is not said. */
      readonly size?: number;
      /** Hazers run; blackout ends that as well. */
      readonly isHazing?: boolean;
    });

/**
 * The desk over what plays: hold, size, idle look, strobe, master, blackout. Pure: the show goes on underneath, and is exactly
 * where it would be as soon as a control is given back.
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
    // Lamps that lost their show in an accident light the room, whatever was chosen for the time between songs.
    ...(!under.isSafe && idle && { idle: idle.value as IdleLook }), // checked when it was pressed
    ...(strobe !== undefined && { strobe }),
    ...(identify !== undefined && { identify }),
    ...(isHazing && { isHazing }),
    ...(hasFigure(hands) && { figure: figureAt(hands, scene, ms) }),
    beats,
    master: blackout ? 0 : under.master * Number(master?.value ?? 1),
  };
}

/** A held look does not breathe with the sound. */
function heldLight(live: LiveLight | undefined, { position }: { readonly position: number }): { live?: LiveLight } {
  return live ? { live: { ...live, position, from: undefined, ride: 1 } } : {};
}

/** Nothing plays: light is sent for the idle look, and while the desk makes light of its own. */
function lightOfDesk(hands: Hands): (StageScene & { kind: "show" }) | undefined {
  const hasColor = Object.keys(hands).some((key) => key === "color" || key === "pair" || key.startsWith("color/"));
  const isLookedFor = Object.keys(hands).some((key) => isIdentify(key) || key.startsWith("aim/"));
  if (!hands["idle"] && !hands["blinder"] && !hands["strobe"] && !hands["haze"] && !hasColor && !isLookedFor)
    return undefined;
  // The other lamps of a group's colour stay in the house look; where dark was chosen between songs, colours wait.
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

/** All lamps that are looked for blink together, from the moment on at which the first of them was. */
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

/** How many beats a flash takes so that the limit holds: 1, 2, 4 … @param rate beats a second */
export function beatsPerFlash(rate: number, mostHz = 2.75): number {
  let beats = 1;
  while (rate / beats > mostHz) beats *= 2;
  return beats;
}
