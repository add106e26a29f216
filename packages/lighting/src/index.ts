export {
  findConflicts,
  freeAddress,
  freeInWords,
  longestFree,
  nameInWords,
  overlapInWords,
  packAddresses,
  rangeInWords,
} from "./addresses.ts";
export type {
  AddressableLight,
  AddressConflict,
  AddressPlan,
  NamedRange,
  PackedAddress,
  TakenRange,
  UnplacedLight,
} from "./addresses.ts";
export { sideOfGuard, UNAIMED } from "./aims.ts";
export { HAZE_AT, PuffBudget, restHaze } from "./haze.ts";
export { hazesIn, WRITE } from "./bytes.ts";
export { CALIBRATION_SECONDS, CALIBRATION_TIMES, calibrationPlan } from "./calibration-plan.ts";
export { hexOfLinear } from "./color.ts";
export { bindShow, compileShow } from "./compile-show.ts";
export type { CompiledShow } from "./compiled-show.ts";
export { applyDesk, bindDesk, restStrobes } from "./desk-look.ts";
export type { DeskLook, DeskMoment } from "./desk-look.ts";
export { undrivenNote } from "./driven.ts";
export { pairedMode } from "./fixture-formats/fine-kinds.ts";
export { emptyPlan } from "./empty-plan.ts";
export { GENERIC_FIXTURES, groupTypeOf } from "./fixtures.ts";
export { limitInSlices } from "./limit-flashes.ts";
export { judgePlan } from "./judge/judge-plan.ts";
export { judgePlanOn, judgeSource } from "./judge/judge-plan.ts";
export type { Judged, RigVerdict, Verdict } from "./judge/judge-plan.ts";
export type { Measure } from "./judge/measure.ts";
export { FAMILIES } from "./judge/compare.ts";
export { describeShow } from "./judge/words.ts";
export type { VerdictLine } from "./judge/words.ts";
export { leadingHues } from "./judge/taste.ts";
export { sourceOf, stageOf } from "./judge/stage.ts";
export type { LightSource, Stage } from "./judge/stage.ts";
export { truthOfAnalysis, truthOfKnown } from "./judge/truth.ts";
export type { SongTruth } from "./judge/truth.ts";
export { quantile } from "./judge/statistics.ts";
export { FLASHES_PER_SECOND } from "./limit-flashes.ts";
export { GRID_HZ } from "./flash-limiter.ts";
export { LiveLimiter } from "./live-limiter.ts";
export { PATTERNS } from "./plan/patterns/pool.ts";
export { chooseShow, seedsOfSong } from "./plan/choose-show.ts";
export type { ChooseOptions } from "./plan/choose-show.ts";
export { COLOR_PAIRS } from "./plan/color-pairs.ts";
export type { ColorPair } from "./plan/color-pairs.ts";
export { pairNamed, recolorPlan } from "./plan/recolor-plan.ts";
export { resolveTargets } from "./resolve-targets.ts";
export { keepCues } from "./plan/keep-cues.ts";
export { planShow } from "./plan/plan-show.ts";
export type { PlanOptions } from "./plan/plan-show.ts";
export { hashOf } from "./random.ts";
export { BAR_LENGTH, litByShow } from "./preview/lamp-beams.ts";
export type { LampBeams, LampBody, LitBeams, StageLamp } from "./preview/lamp-beams.ts";
export { litByBytes } from "./preview/read-beams.ts";
export { lampAim, lampAngle, lampColor, lampWidth } from "./preview/lamp-light.ts";
export { compilePreview, previewOf, ROOM } from "./preview/preview-of.ts";
export type { PictureSize, PreviewPicture } from "./preview/preview-of.ts";
export { placeLamps, STAGE } from "./preview/stage-layout.ts";
export type { Lamp } from "./preview/stage-layout.ts";
export { lampName, stageMarkup } from "./preview/stage-markup.ts";
export { parsRig, REFERENCE_RIGS } from "./reference-rigs.ts";
export { setStates } from "./head-states.ts";
export { mixIdleLook } from "./idle-look.ts";
export { dimStates, fixtureStates, houseLook, newFrame, renderFrame, writeStates } from "./render-frame.ts";
export type { FixtureState, Frame } from "./render-frame.ts";
export { coverColors } from "./palettes/cover-colors.ts";
export { extractColors } from "./palettes/extract-colors.ts";
export { DEFAULT_HARMONY, HARMONIES, harmonise, hasHue } from "./palettes/harmony.ts";
export type { Harmony } from "./palettes/harmony.ts";
export { OUTPUT_TEST_SECONDS, outputTestPlan } from "./output-test-plan.ts";
export { LED_PALETTES } from "./palettes/led-palettes.ts";
export { chooseAlternatives, matchPalettes } from "./palettes/match-palettes.ts";
export type { PaletteMatch } from "./palettes/match-palettes.ts";
export { colorsOfAnalysis, keyColors } from "./palettes/song-colors.ts";
export { FIGURES } from "./movement/figures.ts";
export type { Figure } from "./movement/figures.ts";
export { HeadPace } from "./movement/head-pace.ts";
export { SINGER } from "./movement/positions.ts";
export { aimAt, directionOf, fixedDirectionOf, travelOf } from "./space/directions.ts";
export type { PanTilt, Point3, Travel } from "./space/directions.ts";
export { mountPose, MOUNTS, posesOf, STAGE_SPACE, standingHeight, usualPosesOf } from "./space/poses.ts";
export type { Mount } from "./space/poses.ts";
export { Chase } from "./time-code/chase.ts";
export type { ChaseOrder, LeaderState } from "./time-code/chase.ts";
export { LinearTimeCode } from "./time-code/linear-time-code.ts";
export { MidiClock } from "./time-code/midi-clock.ts";
export { MidiTimeCode } from "./time-code/midi-time-code.ts";
export type { LeaderMove } from "./time-code/midi-time-code.ts";
export { parseTimeCode, secondsOf, SETTABLE_RATES, timeCodeText, type SettableRate } from "./time-code/time-code.ts";
export { turned } from "./turned-aim.ts";
export type { TimeCode } from "./time-code/time-code.ts";
export { planLive } from "./live/live-plan.ts";
export type { LivePlan, LiveSection, LiveOptions } from "./live/live-plan.ts";
export { LiveShow } from "./live/live-show.ts";
export { newStates, setLiveStates } from "./live/live-states.ts";
export { setMeltedStates, sizeLevels } from "./show-size.ts";
export type { LiveLight } from "./live/live-states.ts";
export { unplannedRoles } from "./plan/unplanned-roles.ts";
