export { lastAtOrBefore, nearestIndex } from "./ascending.ts";
export { slotOf, UNIVERSE_SLOTS } from "./units.ts";
export type { Seconds } from "./units.ts";
export { groupShortCode, readShortCode, SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from "./short-code.ts";
export { isTimeZone, momentOfWallTime, movedAlong, wallPlus, wallTimeOf } from "./zoned-time.ts";
export type { WallTime } from "./zoned-time.ts";
export { FREQUENCY_BANDS, SECTION_LABELS, SONG_ANALYSIS_VERSION, songAnalysisSchema } from "./song-analysis.ts";
export type {
  Curve,
  Drop,
  DropType,
  FrequencyBand,
  Section,
  SectionLabel,
  SongAnalysis,
  SongInsights,
} from "./song-analysis.ts";
export { LEAST_TAPS, SONG_CORRECTIONS_VERSION, songCorrectionsSchema } from "./song-corrections.ts";
export type { Correction, SongCorrections, TempoFactor } from "./song-corrections.ts";
export {
  GROUP_TYPES,
  INTENT_FAMILIES,
  intentFamily,
  LIGHTING_PLAN_VERSION,
  lightingPlanSchema,
  lookSchema,
  MOST_LOOK_CUES,
  MOST_LOOK_NAME,
  NO_WISHES,
  SHOW_MOODS,
  showWishesSchema,
} from "./lighting-plan.ts";
export type {
  Cue,
  GroupType,
  IntentFamily,
  HazeCue,
  LightingPlan,
  Look,
  ShowMood,
  ShowRemark,
  ShowWishes,
} from "./lighting-plan.ts";
export { fixtureDefinitionSchema, headAimSchema, rigSchema } from "./rig.ts";
export type {
  AimPoint,
  FixtureChannel,
  FixtureDefinition,
  FixtureMode,
  HeadAim,
  Pose,
  Rig,
  RigGroup,
  HazeInShows,
  RigLight,
  WheelSlot,
} from "./rig.ts";
export { AIM_POSITIONS, CHANNEL_KINDS, HEAD_POSITIONS } from "./rig-words.ts";
export type { AimPosition, ChannelKind, HeadPosition } from "./rig-words.ts";
export {
  ARTNET_PORT,
  isUsb,
  multicastGroup,
  OUTPUT_PROTOCOLS,
  outputOfUrl,
  outputSchema,
  portOf,
  SACN_PORT,
  stageRigSchema,
  targetOf,
} from "./output.ts";
export type { Output, OutputProtocol, StageRig } from "./output.ts";
export { LAMP_HOLDERS, lightOnStageSchema } from "./light-on-stage.ts";
export type { LampHolder, LightOnStage } from "./light-on-stage.ts";
export { outputHealthSchema } from "./output-health.ts";
export type { ArtnetNode, ForeignSource, OutputsHealth, UsbDevice } from "./output-health.ts";
export { outputTestAnswerSchema, outputTestOrderSchema } from "./output-test.ts";
export type { OutputTestAnswer } from "./output-test.ts";
export { NO_OUTPUT_ON, outputDown, outputName } from "./output-words.ts";
export type { NamedOutput } from "./output-words.ts";
export { heardPositionSchema, stageQueueSchema } from "./stage-queue.ts";
export type { HeardPosition, StageQueue } from "./stage-queue.ts";
export {
  PLAYER_BEAT_MS,
  PLAYER_KEY_HEADER,
  PLAYER_PATHS,
  PLAYER_SILENCE_MS,
  playerCommandSchema,
} from "./pa-player.ts";
export type {
  PlayerCommand,
  PlayerHeard,
  PlayerMessage,
  PlayerQueue,
  PlayerSettings,
  PlayerSong,
} from "./pa-player.ts";
export { TALK_QUIET_DB } from "./talk-music.ts";
export type { MusicDuringTalks } from "./talk-music.ts";
export { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from "./idempotency.ts";
export { answerLine, CALLS_PATH, isReading, MOST_CALLS, readAnswerLine } from "./calls-together.ts";
export { FILE_IS_MISSING, needsItsFile, OUTLINE_LEVELS, SONG_STEPS, STREAMS, subjects } from "./jobs.ts";
export type {
  ClaimReply,
  ClaimRequest,
  GrantedJob,
  HeartbeatReply,
  HeartbeatRequest,
  JobMessage,
  JobOutcome,
  JobStep,
  JobWait,
  MadePlan,
  OutlinePart,
  PlanInputs,
  SongOutline,
  SongStep,
  StepResult,
  StepStatus,
} from "./jobs.ts";
export {
  calibratedOutput,
  calibrationOf,
  clientHelloSchema,
  deskPressSchema,
  eventsClientMessageSchema,
  MAX_DESK_BYTES,
  MAX_PLAYBACK_BYTES,
  playbackCommandSchema,
  STAGE_HEADERS,
  stageHelloSchema,
  subscribeSchema,
} from "./sockets.ts";
export type {
  ClientHello,
  Envelope,
  EventsClientMessage,
  LampsHolder,
  PlaybackCommand,
  PlaybackMessage,
  ServerAck,
  SongProgress,
  StageMode,
} from "./sockets.ts";
export { CLOSE, HELLO_SECONDS } from "./socket-words.ts";
export {
  aimKey,
  aimPointOf,
  aimText,
  DESK_KINDS,
  deskControlOf,
  IDENTIFY,
  identifyKey,
  deskKey,
  deskValueProblem,
  GIVE_ALL_BACK,
  HAZE,
  IDLE_LOOKS,
  isMomentary,
  LATE_PRESS_MS,
  staysInHand,
  SHOW_SIZE,
  STROBE_HZ,
  TAP_BPM,
} from "./desk.ts";
export type {
  DeskControl,
  DeskGroup,
  DeskHand,
  DeskKind,
  DeskMessage,
  DeskPress,
  DeskState,
  DeskValue,
  IdleLook,
} from "./desk.ts";
export { recordingSchema, recordingsSchema } from "./recording.ts";
export type { Recording, Recordings } from "./recording.ts";
export { soundCommandSchema } from "./live-sound.ts";
export type { HeardPulse, HeardSound, SoundCommand, SoundMessage, SoundState } from "./live-sound.ts";
export { MAX_BLOCK_SAMPLES, SOUND_HEADER_BYTES, SOUND_RATE, SOUND_SOURCES } from "./live-sound-words.ts";
export type { SoundSource } from "./live-sound-words.ts";
export { applySentLamps, ASK_WHOLE, readSentLamps, writeSentLamps } from "./sent-lamps.ts";
export type { SentLamps, SentStretch } from "./sent-lamps.ts";
export { STAGE_KEY_HEADER, stageKeyProtocol, stageKeyOf } from "./stage-page.ts";
export type { StagePageMessage, StagePicture, StageShown } from "./stage-page.ts";
export { LIVE, parseTopic, topicsOf } from "./topics.ts";
export type { Topic } from "./topics.ts";
export type { DownloaderState, FoundVideo, FoundVideos, VideosReply, VideosRequest } from "./videos.ts";
export {
  CLAIM_WAIT_MS,
  JOB_STEPS,
  WORKER_HEADERS,
  WORKER_HELLO_MS,
  WORKER_PATHS,
  WORKER_PROTOCOL,
  workerClaimSchema,
  workerHeartbeatSchema,
  workerHelloSchema,
  workerOutcomeSchema,
} from "./worker-door.ts";
export type {
  WorkerClaimReply,
  WorkerFiles,
  WorkerHello,
  WorkerOutcome,
  WorkerOutcomeReply,
  WorkerResult,
  WorkerWelcome,
} from "./worker-door.ts";
export {
  askTonightSchema,
  boxHelloSchema,
  boxWelcomeSchema,
  firstNowSchema,
  MOST_SETTLED,
  queueCopySchema,
  rigCopySchema,
  settledSchema,
  settleSchema,
  STANDBY_ASKS_MS,
  standbyAskSchema,
  tableMarksSchema,
  tonightSchema,
  VENUE_HEADERS,
  VENUE_HELLO_MS,
  VENUE_PATHS,
} from "./venue-door.ts";
export type {
  AskTonight,
  BoxHello,
  BoxHolds,
  BoxWelcome,
  FirstNow,
  Happened,
  QueueCopy,
  RigCopy,
  Settled,
  StandbyAsk,
  TableMarks,
  Tonight,
} from "./venue-door.ts";
