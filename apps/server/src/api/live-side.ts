import type { FastifyInstance } from "fastify";
import { PLAYER_PATHS, type Envelope } from "@followspot/contract";
import type { Sessions } from "../community/auth/sessions.ts";
import { listensToThread, whoLeftThread } from "../events/chat/membership.ts";
import { takesBack } from "../events/chat/taken-back.ts";
import { AnnouncementClock } from "../night/director/announcement-clock.ts";
import { StagePages } from "../night/director/stage-pages.ts";
import { showsLamps } from "../night/director/stage-pages.http.ts";
import { readStageRig, rigRevision } from "../lights/stage-rig.ts";
import { readPlan } from "../songs/library/plan-revisions.ts";
import { queueForStage, yieldQueue } from "../songs/queue/show-queue.ts";
import { SongSounds } from "../songs/catalog/song-sounds.ts";
import { findSong } from "../songs/catalog/songs.store.ts";
import { dropSoundFault } from "../night/faults.store.ts";
import { routeUpgrades, type HttpServer } from "../platform/http/http-server.ts";
import { inBackground } from "../platform/process/in-background.ts";
import type { Broker } from "../platform/broker/nats.ts";
import { machineId } from "../lights/stage-lease.ts";
import { Presence } from "../operations/queues/presence.ts";
import { EventFeed } from "../platform/live-events/event-feed.ts";
import { createEventsSocket } from "./events-socket.ts";
import { PassingEnvelopes } from "../platform/live-events/passing-envelopes.ts";
import { outputKey } from "../night/players/output-key.ts";
import { Players } from "../night/players/players.ts";
import { registerStageLink } from "./stage-link/stage-link.http.ts";
import { StageWatch } from "./stage-link/stage-watch.ts";
import type { StageNow } from "../machines/venues/first-now.ts";
import type { ApiPorts } from "./api-ports.ts";

export type LiveSide = ReturnType<typeof openLiveSide>;

/** Opens everything that stays connected: events, stage pages, players and the stage; and registers its sockets. */
export function openLiveSide(ports: ApiPorts, { app, admit }: HttpServer, sessions: Sessions) {
  const { settings, sql, secret, files, fixtures, warn } = ports;
  const { FOLLOWSPOT_STAGE_SECRET: stageSecret, FOLLOWSPOT_DATA_DIR: dataDir } = settings;
  const origins = settings.FOLLOWSPOT_ALLOWED_ORIGINS;
  const machine = stageSecret && machineId(stageSecret, dataDir);

  const stage = registerStageLink(app, {
    ...{ settings, admit, origins, spans: ports.spans, ask: ports.instead?.askStage },
    callerNow: (caller) => sessions.again(caller),
    findPlan: (songId) => readPlan(sql, files, songId),
    rig: () => readStageRig(sql, fixtures, machine),
    rigRevision: () => rigRevision(sql),
    queue: () => queueForStage(sql),
    onQueueTaken: (songId) => yieldQueue(sql, songId),
    showsLamps: (screenId, key) => showsLamps(sql, secret, screenId, key),
    withheldBecause: () => stageWatch.withheldBecause,
  });
  const stageWatch = new StageWatch(() => stage.askStage("/health"));

  const sounds = new SongSounds(files);
  const players = new Players({
    ...{ sql, sounds, secret, warn, onQueue, origins },
    outputKey: stageSecret && outputKey(stageSecret),
    onHeard: (heard) => stage.tellHeard(heard),
    onPlayedOn: dropSoundFault,
  });

  const feed = new EventFeed(warn, takesBack);
  const events = createEventsSocket({
    ...{ sessions, origins },
    memberships: { "chat.thread": listensToThread(sql) },
    whoLeft: whoLeftThread,
    replay: (topic, after) => feed.replay(topic, after),
  });
  const passing = new PassingEnvelopes(events.publish);
  const presence = new Presence();

  const pages = new StagePages({ sql, playing: songOnStage, warn });
  const announcements = new AnnouncementClock({ sql, onEnd: (screenId) => pages.refresh(screenId), warn });
  const endAnnouncements = () => inBackground("ending announcements", announcements.look(), warn);

  routeUpgradesTo(app);

  /** Notifies stage and players of a queue change, ahead of the event over NATS. */
  function onQueue(): void {
    stage.ringStage();
    players.refresh();
  }

  function onScreenChange(screenId: string): void {
    pages.refresh(screenId);
    endAnnouncements();
    ports.onScreenChange?.(screenId);
  }

  /** Returns the song that the lights follow, for the stage pages. */
  async function songOnStage() {
    const songId = await stage.songPlaying();
    const song = songId === undefined ? undefined : await findSong(sql, songId);
    return song ? { title: song.title, artist: song.artist } : null;
  }

  /** Returns the state of this machine's stage, for its standby. */
  async function stageNow(): Promise<StageNow> {
    try {
      return (await stage.askStage("/health")) as StageNow;
    } catch {
      return { up_ms: 0, blackout: false };
    }
  }

  function routeUpgradesTo(server: FastifyInstance): void {
    routeUpgrades(server, (path) => {
      if (path === "/ws/events") return events.handleUpgrade;
      if (path === PLAYER_PATHS.socket) return (...args) => players.handleUpgrade(...args);
      return /^\/lights\/(playback\/|desk$|sound$|lamps(\/|$))/.test(path)
        ? (...args) => inBackground("opening a socket", stage.handleUpgrade(...args), warn)
        : undefined;
    });
  }

  function onEnvelope(envelope: Envelope): void {
    if (envelope.type === "session.ended") {
      const { user_id, session_id } = envelope.payload as { user_id: string; session_id?: string };
      sessions.forget({ userId: user_id, sessionId: session_id });
      stage.endSessions({ userId: user_id, sessionId: session_id });
    }
    events.publish(envelope);
    pages.hear(envelope);
    players.hear(envelope);
    if (envelope.type.startsWith("stage_screen.")) endAnnouncements();
  }

  /** Makes all clients read everything again. */
  function onGap(): void {
    events.reset();
    pages.refreshAll();
  }

  return {
    ...{ stage, stageWatch, sounds, players, events, passing, presence, pages, announcements },
    ...{ onQueue, onScreenChange, onGap, stageNow },
    /** Returns the ID of the last published envelope; empty if unknown. */
    newsSince: () => feed.newest ?? "",
    /** Receives the events of all servers from the broker. @returns function that stops it */
    follow(broker: Broker): () => Promise<void> {
      presence.listen(broker.connection);
      passing.join(broker.connection);
      feed.start(broker, { onEnvelope, onGap });
      return () => feed.close();
    },
    /** Closes all sockets and stage pages. @returns promise of the players' confirmation */
    async close(): Promise<{ readonly playersClosed: Promise<void> }> {
      events.close();
      const playersClosed = players.close();
      pages.close();
      await announcements.close();
      await stage.close();
      return { playersClosed };
    },
  };
}
