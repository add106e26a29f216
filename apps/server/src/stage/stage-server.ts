import type { Server } from "node:http";
import { join } from "node:path";
import { calibratedOutput, type LightingPlan, type Rig } from "@followspot/contract";
import { calibrationPlan } from "@followspot/lighting";
import { isKept, only, type DeskRig } from "./desk/desk-rules.ts";
import { sceneWithDesk } from "./desk/desk-scene.ts";
import { DeskSockets, presserOf } from "./desk/desk-socket.ts";
import { Desk } from "./desk/desk.ts";
import { monotonicMs } from "./outputs/frame-ring.ts";
import { listenForOsc } from "./desk/osc/osc-input.ts";
import { PlaybackSockets } from "./playback/playback-socket.ts";
import { Playback } from "./playback/playback.ts";
import { QueueFollower } from "./playback/queue-follower.ts";
import { RecordingShelf } from "./recording/recordings.ts";
import { RigFeed } from "./rig-feed.ts";
import { LiveSound } from "./sound/live-sound.ts";
import { SoundSockets } from "./sound/sound-socket.ts";
import { sourceIdentity } from "./outputs/source-identity.ts";
import { fetchPlan } from "./stage-api.ts";
import type { StageConfig } from "./stage-config.ts";
import { createStageHttp } from "./stage-http.ts";
import { StageMemory, type StageState } from "./stage-memory.ts";
import type { LampScene } from "./stage-light.ts";
import { Stage } from "./stage.ts";
import { WireWatch } from "./watch/wire-watch.ts";

export interface StageServer {
  readonly port: number;
  /** Dark, terminated, silent; nothing is left open. */
  close(): Promise<void>;
}

/** The stage process without its process: sockets in, DMX out. Listens on loopback only. */
export async function startStage(config: StageConfig): Promise<StageServer> {
  const playback = new Playback();
  const memory = new StageMemory(config.dataDir);
  const positionNow = () =>
    live.position ?? (playback.mode === "idle" ? undefined : playback.clock.positionAt(monotonicMs()));
  const onDesk = () => {
    stage.setDesk(desk.hands);
    microphones.follow(desk.hands);
    refresh();
    consoles?.tell();
  };
  const desk = new Desk(positionNow, onDesk, { soundProblem: (source) => microphones.problemOf(source) });
  const sceneAt = (ms: number): LampScene => {
    const replay = shelf.replayAt(ms);
    if (!replay) return sceneWithDesk(live.over(playback.sceneAt(ms), ms), desk.hands, ms);
    // Blackout always wins; the other controls know lamps, and what was recorded are only slots.
    const slotsOf = (universe: number, offsetMs: number) =>
      desk.blackout ? undefined : replay.slotsAt(universe, ms, offsetMs);
    return { kind: "recorded", slotsOf };
  };
  const source = sourceIdentity(config.dataDir);
  const stage = new Stage(source, sceneAt);
  const watch = new WireWatch({
    source,
    isSending: () => stage.isSending,
    searchAddresses: config.searchAddresses,
    ...(config.watchPorts && { ports: config.watchPorts }),
  });
  const shelf = new RecordingShelf({
    folder: join(config.dataDir, "recordings"),
    tap: (onSent) => stage.tap(onSent),
    rig: () => rig,
    isTaken: () => playback.isTakenAt(monotonicMs()) || live.source !== undefined,
    takeLights: () => playback.letGo(monotonicMs()),
    nextTickMs: () => stage.nextTickMs,
    refresh: () => refresh(),
  });
  let rig: NonNullable<StageState["lit"]> = { rig: { lights: [], groups: [] }, outputs: [] };
  let consoles: DeskSockets | undefined;
  let songPlan: LightingPlan | undefined;
  const live = new LiveSound({
    groups: () => rig.rig.groups,
    bind: (plan) => {
      if (plan) stage.setPlan(plan, true);
      else if (songPlan) stage.setPlan(songPlan);
    },
    isHeld: () => "hold" in desk.hands,
    redraw: () => stage.follow(),
    giveUp: () => desk.set("sound", null, NOBODY),
    device: config.soundDevice,
    ffmpeg: config.ffmpeg ?? "ffmpeg",
    plan: config.livePlan,
  });
  const microphones = new SoundSockets({
    desk,
    sound: live,
    isTaken: () => playback.mode !== "idle",
    isCalibrating: () => playback.mode !== "idle" && calibratedOutput(playback.songId) !== undefined,
    deviceName: config.soundDevice?.name ?? "",
  });

  const refresh = () => {
    // A song takes the lights from a recording, as it does from the idle look.
    if (playback.mode !== "idle" || live.source) shelf.stopReplay();
    desk.songIs(live.source ?? playback.songId);
    if (!playback.isLent) stage.endVisit();
    stage.refresh();
    remember();
  };
  const remember = () => {
    const now = monotonicMs();
    const isLit = shelf.replayAt(now) !== undefined || live.over(playback.sceneAt(now), now).kind === "show";
    memory.keep({ hands: only(desk.hands, isKept), lit: isLit ? rig : null });
  };
  recover(memory.recall());

  const feed = new RigFeed(config, ({ rig: lights, outputs }) => {
    rig = { rig: lights, outputs };
    stage.setRig(lights, outputs);
    desk.setRig(deskRigOf(lights, stage));
    watch.setOutputs(stage.outputs);
    remember();
    sockets.broadcast();
    consoles?.tell();
  });
  const plans = {
    bind: (plan: LightingPlan) => {
      // What is put on takes the lamps from live sound.
      desk.set("sound", null, NOBODY);
      const calibrated = calibratedOutput(plan.song_id);
      if (calibrated !== undefined) return stage.visit(plan, calibrated);
      songPlan = plan;
      stage.setPlan(plan);
    },
    fetchPlan: async (songId: string) => {
      const isSong = calibratedOutput(songId) === undefined;
      const made = isSong ? fetchPlan(config, songId) : calibrationPlan(songId);
      const [plan] = await Promise.all([made, feed.refresh()]);
      return plan;
    },
  };
  const outputCount = () => stage.workingOutputs;
  const sockets = new PlaybackSockets({ playback, refresh, outputCount, isBlack: () => desk.blackout, ...plans });
  consoles = new DeskSockets({
    desk,
    show: () => ({
      mode: playback.mode,
      song_id: playback.songId,
      outputs: outputCount(),
    }),
    written: () => memory.written(),
  });
  const queue = new QueueFollower({
    config,
    playback,
    ...plans,
    refresh: () => {
      refresh();
      sockets.broadcast();
    },
  });
  const server = createStageHttp({
    secret: config.secret,
    health: async () => {
      const health = stage.health();
      const watched = await watch.tell(health);
      return {
        mode: playback.mode,
        song_id: playback.songId,
        blackout: desk.blackout,
        ...health,
        ...watched,
        ...(osc && { osc: osc.health() }),
      };
    },
    search: () => ({ searching_until: watch.search() }),
    setBlackout: async (on, headers) => {
      desk.set("blackout", on || null, presserOf(headers));
      sockets.broadcast();
      await memory.written();
    },
    onQueue: () => queue.look(),
    recordings: shelf,
    onSocket: (socket, songId) => sockets.add(socket, songId),
    onDesk: (socket, by) => consoles.add(socket, by),
    onSound: (socket, by) => microphones.add(socket, by),
  });

  /** A stage that was killed in the middle of a show left its lamps as they were: the house look comes first. */
  function recover(left: StageState | undefined): void {
    if (!left) return;
    if (left.lit) {
      rig = left.lit;
      playback.recover();
    }
    desk.takeUp(left.hands);
    if (!left.lit) return;
    stage.setRig(rig.rig, rig.outputs);
    desk.setRig(deskRigOf(rig.rig, stage));
    watch.setOutputs(stage.outputs);
    remember();
  }

  // A port that is taken keeps no show from being played.
  const osc =
    config.osc &&
    (await listenForOsc(desk, config.osc).catch((error: unknown) => {
      console.error(`osc: not listened to: ${String(error)}`);
      return undefined;
    }));
  const port = await listen(server, config.port);
  return {
    port,
    close: async () => {
      osc?.close();
      feed.close();
      queue.close();
      await shelf.close();
      live.close();
      await stage.close(); // dark first, everything else after
      watch.close();
      sockets.close();
      consoles.close();
      desk.close();
      microphones.close();
      server.closeAllConnections();
      server.close();
      await memory.end(only(desk.hands, (key) => key === "idle"));
    },
  };
}

function deskRigOf(rig: Rig, stage: Stage): DeskRig {
  const known = stage.lightIds();
  const lit = rig.lights.filter(({ id }) => known.has(id)).map(({ id, label }) => [id, label] as const);
  return { groups: new Map(rig.groups.map(({ id, name }) => [id, name])), lights: new Map(lit) };
}

/** Who gives back what nobody pressed. */
const NOBODY = { line: "", owner: "", ownerName: "" };

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
