import type { Server } from "node:http";
import { join } from "node:path";
import { calibratedOutput, HEAD_POSITIONS, lastAtOrBefore, type Rig } from "@followspot/contract";
import { calibrationPlan, hazesIn } from "@followspot/lighting";
import { openLog } from "../platform/process/log.ts";
import { isKept, only, type DeskRig } from "./desk/desk-rules.ts";
import { sceneWithDesk } from "./desk/desk-scene.ts";
import { DeskSockets, presserOf } from "./desk/desk-socket.ts";
import { Desk } from "./desk/desk.ts";
import { PressTraces } from "./desk/press-traces.ts";
import { listenForOsc } from "./desk/osc/osc-input.ts";
import { Lamps } from "./lamps/lamps.ts";
import { monotonicMs } from "./outputs/frame-ring.ts";
import { sourceIdentity } from "./outputs/source-identity.ts";
import { OutputTest } from "./output-test.ts";
import { PlaybackSockets } from "./playback/playback-socket.ts";
import { Playback } from "./playback/playback.ts";
import { QueueFollower } from "./playback/queue-follower.ts";
import { RecordingShelf } from "./recording/recordings.ts";
import { lightOnStage } from "./light-on-stage.ts";
import { RigFeed } from "./rig-feed.ts";
import { SentSockets } from "./sent/sent-sockets.ts";
import { LiveSound } from "./sound/live-sound.ts";
import { SoundSockets } from "./sound/sound-socket.ts";
import { fetchPlan } from "./stage-api.ts";
import type { StageConfig } from "./stage-config.ts";
import { createStageHttp } from "./stage-http.ts";
import type { LampScene } from "./stage-light.ts";
import { StageMemory, type StageState } from "./stage-memory.ts";
import { Stage } from "./stage.ts";
import { WireWatch } from "./watch/wire-watch.ts";

export interface StageServer {
  readonly port: number;
  /** Ends with the rig dark and the streams terminated, and closes everything that was opened. */
  close(): Promise<void>;
}

/** Starts the stage without its process: sockets in, DMX out. Listens on loopback only. */
export async function startStage(config: StageConfig): Promise<StageServer> {
  const log = config.log ?? openLog("main-stage", { FOLLOWSPOT_LOG_LEVEL: "info", FOLLOWSPOT_LOG_FORMAT: "text" });
  const warn = (line: string) => log.warn(line);
  // Not the start of the process: a spare process has waited before.
  const startedMs = monotonicMs();
  let rig: NonNullable<StageState["lit"]> = { rig: { lights: [], groups: [] }, outputs: [] };
  let withheldBecause: string | undefined;

  // Source precedence and desk controls.
  const memory = new StageMemory(config.dataDir, log);
  const lamps = new Lamps();
  const playback = new Playback(lamps);
  const desk = new Desk(() => positionOn(lamps), onDesk, {
    soundProblem: (from) => microphones.problemOf(from),
    barLeftMs: () => barLeftOn(lamps),
  });

  // Rendering and outputs.
  const source = sourceIdentity(config.dataDir, "stage", warn);
  const stage = new Stage(source, (ms) => lampSceneOf(lamps, desk, ms), { warn });
  const watch = new WireWatch({
    source,
    isSending: () => stage.isSending,
    searchAddresses: config.searchAddresses,
    ...(config.watchPorts && { ports: config.watchPorts }),
  });

  // Sources that can own the fixtures.
  const fetchShow = async (songId: string) => {
    const isSong = calibratedOutput(songId) === undefined;
    const made = isSong ? fetchPlan(config, songId) : calibrationPlan(songId);
    const [plan] = await Promise.all([made, feed.refresh()]);
    return plan;
  };
  const shelf = new RecordingShelf({
    folder: join(config.dataDir, "recordings"),
    tap: (onSent) => stage.tap(onSent),
    rig: () => rig,
    lamps,
    log,
    nextTickMs: () => stage.nextTickMs,
    refresh,
  });
  const live = new LiveSound({
    lamps,
    log,
    groups: () => rig.rig.groups,
    refresh,
    isHeld: () => "hold" in desk.hands,
    redraw: () => stage.follow(),
    giveUp: () => desk.set("sound", null, NO_PRESSER),
    device: config.soundDevice,
    ffmpeg: config.ffmpeg ?? "ffmpeg",
    plan: config.livePlan,
  });
  const microphones = new SoundSockets({
    desk,
    sound: live,
    isTaken: () => playback.show !== undefined,
    isCalibrating: () => lamps.sources.some(({ kind }) => kind === "calibration"),
    deviceName: config.soundDevice?.name ?? "",
  });
  const outputTest = new OutputTest({
    lamps,
    hands: () => desk.hands,
    outputs: () => stage.outputs,
    rig: () => rig.rig,
    refresh,
    now: monotonicMs,
  });
  const queue = new QueueFollower({ config, log, lamps, fetchPlan: fetchShow, refresh: refreshAndTell });

  // Subscribers and callers.
  const outputCount = () => stage.workingOutputs;
  const show = () => ({ mode: playback.modeAt(monotonicMs()), song_id: playback.songId });
  const isBlack = () => desk.blackout;
  const sockets = new PlaybackSockets({ lamps, playback, log, refresh, outputCount, isBlack, fetchPlan: fetchShow });
  const consoles = new DeskSockets({
    desk,
    presses: config.spans && new PressTraces(config.spans, desk, stage),
    show: () => ({ ...show(), outputs: outputCount() }),
    written: () => memory.written(),
  });
  const viewers = new SentSockets({
    tap: (onSent) => stage.tap(onSent),
    isSending: () => stage.isSending,
    isPreview: () => stage.isPreview,
    universes: () => stage.shownUniverses,
  });
  const server = createStageHttp({
    secret: config.secret,
    health: async () => {
      const health = stage.health();
      const watched = await watch.tell(health);
      const up_ms = Math.round(monotonicMs() - startedMs);
      const more = { ...(osc && { osc: osc.health() }), ...(withheldBecause && { withheld_because: withheldBecause }) };
      return { ...show(), up_ms, blackout: desk.blackout, ...health, ...watched, ...more };
    },
    light: (id) => {
      const ms = monotonicMs();
      return lightOnStage(id, {
        lamps,
        hands: desk.hands,
        stage,
        rig: rig.rig,
        scene: lampSceneOf(lamps, desk, ms),
        ms,
      });
    },
    testOutput: (order) => outputTest.answer(order),
    search: () => ({ searching_until: watch.search() }),
    setBlackout: async (on, headers) => {
      desk.set("blackout", on || null, presserOf(headers));
      sockets.broadcast();
      await memory.written();
    },
    onQueue: () => queue.look(),
    onHeard: (heard) => queue.hear(heard),
    recordings: shelf,
    warn,
    onSocket: (socket, songId, headers) => sockets.add(socket, songId, headers),
    onDesk: (socket, headers) => consoles.add(socket, headers),
    onSound: (socket, headers) => microphones.add(socket, headers),
    onLamps: (socket) => viewers.add(socket),
  });

  recover(memory.recall());
  const feed = new RigFeed(config, log, ({ rig: lights, outputs, ...next }) => {
    withheldBecause = next.withheldBecause;
    useRig({ rig: lights, outputs });
    refreshAndTell();
  });
  // A port that is in use must not prevent the show.
  const osc =
    config.osc &&
    (await listenForOsc(desk, config.osc, warn).catch((error: unknown) => {
      log.error({ err: error }, "OSC is not listened to");
      return undefined;
    }));
  const port = await listen(server, config.port);
  return { port, close };

  function onDesk(): void {
    stage.setDesk(desk.hands);
    microphones.follow(desk.hands);
    refresh();
    consoles.tell();
  }

  /** Applies a change of the fixtures' owner or of the desk controls. */
  function refresh(): void {
    desk.songIs(lamps.shown?.id ?? "");
    const drawing = lamps.shown?.drawing;
    if (drawing) stage.draw(drawing);
    stage.refresh();
    remember();
  }

  function refreshAndTell(): void {
    refresh();
    sockets.broadcast();
    consoles.tell();
  }

  function useRig(next: typeof rig): void {
    rig = next;
    stage.setRig(rig.rig, rig.outputs);
    desk.setRig(deskRigOf(rig.rig, stage));
    watch.setOutputs(stage.outputs);
  }

  function remember(): void {
    const isLit = lamps.sceneAt(monotonicMs()).kind !== "silent";
    memory.keep({ hands: only(desk.hands, isKept), lit: isLit ? rig : null });
  }

  /**
   * Recovers after a crash in the middle of a show: the fixtures kept their last state, so the default look comes
   * first.
   */
  function recover(left: StageState | undefined): void {
    if (!left) return;
    if (left.lit) {
      rig = left.lit;
      lamps.rest("safe");
    }
    desk.takeUp(left.hands);
    if (!left.lit) return;
    useRig(left.lit);
    remember();
  }

  async function close(): Promise<void> {
    osc?.close();
    feed.close();
    queue.close();
    outputTest.close();
    await shelf.close();
    live.close();
    await stage.close(); // dark first, everything else after
    watch.close();
    sockets.close();
    consoles.close();
    desk.close();
    microphones.close();
    viewers.close();
    server.closeAllConnections();
    server.close();
    await memory.end(only(desk.hands, (key) => key === "idle"));
  }
}

/** Returns the playback position of the visible show, seconds; undefined without a show. */
function positionOn(lamps: Lamps): number | undefined {
  const scene = lamps.shown?.sceneAt(monotonicMs());
  return scene?.kind === "show" ? scene.position : undefined;
}

/** Longest time to the next bar line that a release waits for, seconds. */
const LONGEST_BAR_SECONDS = 8;

/**
 * Returns the time until the end of the current bar of the visible show, ms; undefined if the show stands still or has
 * no bars.
 */
function barLeftOn(lamps: Lamps): number | undefined {
  const scene = lamps.shown?.sceneAt(monotonicMs());
  if (scene?.kind !== "show" || scene.live || !scene.allowsStrobe) return undefined;
  const { position } = scene;
  const downbeats = lamps.shown?.drawing?.plan.downbeats ?? [];
  const next = downbeats[lastAtOrBefore(downbeats, position) + 1];
  return next !== undefined && next - position < LONGEST_BAR_SECONDS ? (next - position) * 1000 : undefined;
}

/** Returns the scene at a moment: that of the source that owns the fixtures, with the desk controls applied. */
function lampSceneOf(lamps: Lamps, desk: Desk, ms: number): LampScene {
  const scene = lamps.sceneAt(ms);
  if (scene.kind !== "recorded") return sceneWithDesk(scene, desk.hands, ms);
  // Blackout always wins. The other controls apply to fixtures, but a recording has only slots.
  return desk.blackout ? { kind: "recorded", slotsOf: () => undefined } : scene;
}

function deskRigOf(rig: Rig, stage: Stage): DeskRig {
  const known = stage.lightIds();
  const lit = rig.lights.filter(({ id }) => known.has(id));
  const movers = lit.filter(({ mode }) => mode.channels.some(({ kind }) => kind === "pan" || kind === "tilt"));
  return {
    groups: new Map(rig.groups.map(({ id, name }) => [id, name])),
    lights: new Map(lit.map(({ id, label }) => [id, label])),
    movers: new Set(movers.map(({ id }) => id)),
    hazers: rig.lights.filter(({ enabled, mode }) => enabled && hazesIn(mode)).length,
    positions: movers.length > 0 ? HEAD_POSITIONS : [],
  };
}

/** Presser for controls that the stage releases itself. */
const NO_PRESSER = { connection: "", owner: "", ownerName: "" };

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
