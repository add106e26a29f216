import { fromJson, type DescMethodUnary, type JsonValue } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import type { Envelope, EventsClientMessage, ServerAck, SongProgress } from "@followspot/contract";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { MusicService, SongSchema, type ListSongsResponse, type Song } from "@followspot/contract/music";
import { TalkService } from "@followspot/contract/talk";
import type { QueryClient } from "@tanstack/react-query";
import { sessionKey } from "../auth/session.ts";
import { tellListeners } from "./listeners.ts";
import { liveState } from "./live-state.ts";

/** The lists that a topic's messages are about. */
const LISTS: Readonly<Record<string, readonly DescMethodUnary[]>> = {
  songs: [MusicService.method.listSongs, MusicService.method.getSong],
  events: [EventService.method.listEvents, EventService.method.getEvent, TalkService.method.listTalks],
  lights: [LightsService.method.listLights, LightsService.method.listGroups],
};

const TOPICS = Object.keys(LISTS);
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Beats the server may miss before the line counts as dead. */
const MISSED_BEATS = 2.5;
const UNAUTHENTICATED = 4401;

/** Follows /ws/events and keeps the query cache true. Returns what ends it. */
export function followServer(cache: QueryClient): () => void {
  let socket: WebSocket | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  let attempt = 0;
  let ended = false;
  const lastSeen = new Map<string, string>();
  const patches = new CachePatches(cache);

  const say = (message: EventsClientMessage) =>
    socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));

  const open = () => {
    liveState.set(navigator.onLine ? "reconnecting" : "offline");
    const url = new URL("/ws/events", window.location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const line = new WebSocket(url);
    socket = line;
    let heardAt = performance.now();
    line.onopen = () =>
      say({
        type: "ClientHello",
        payload: { token: "", platform: "web", subscriptions: lastSeen.size > 0 ? [] : TOPICS },
      });
    line.onmessage = ({ data }) => {
      heardAt = performance.now();
      const envelope = parseEnvelope(data);
      if (!envelope) return;
      if (envelope.topic !== "control") {
        lastSeen.set(envelope.topic, envelope.id);
        patches.apply(envelope);
        tellListeners(envelope);
        return;
      }
      if (envelope.type === "ServerAck") {
        const { heartbeat_sec } = envelope.payload as ServerAck;
        if (lastSeen.size > 0)
          for (const topic of TOPICS)
            say({ type: "Subscribe", payload: { topic, ...lastEventId(lastSeen.get(topic)) } });
        // What happened before the first subscription is only in the lists themselves.
        if (attempt > 0) for (const topic of TOPICS) if (!lastSeen.has(topic)) patches.refresh(topic);
        attempt = 0;
        liveState.set("live");
        clearInterval(beat);
        const beatMs = Math.max(1, heartbeat_sec || 30) * 1000;
        beat = setInterval(() => {
          if (performance.now() - heardAt > beatMs * MISSED_BEATS) line.close();
          else say({ type: "Ping" });
        }, beatMs);
      } else if (envelope.type === "Reset") {
        const { topic } = envelope.payload as { readonly topic?: string };
        for (const each of topic === undefined ? TOPICS : [topic]) patches.refresh(each);
      }
    };
    line.onclose = ({ code }) => {
      clearInterval(beat);
      if (ended || socket !== line) return;
      attempt += 1;
      liveState.set(navigator.onLine && attempt < 4 ? "reconnecting" : "offline");
      // The RPC says whether the session is really gone; its answer reaches the session gate.
      if (code === UNAUTHENTICATED) patches.checkSession();
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
      reconnect = setTimeout(open, wait * (0.5 + Math.random() / 2));
    };
  };

  const openNow = () => {
    if (liveState.get() === "live") return;
    clearTimeout(reconnect);
    socket?.close();
    open();
  };
  const lost = () => liveState.set("offline");
  window.addEventListener("online", openNow);
  window.addEventListener("offline", lost);
  open();

  return () => {
    ended = true;
    clearTimeout(reconnect);
    clearInterval(beat);
    window.removeEventListener("online", openNow);
    window.removeEventListener("offline", lost);
    socket?.close();
    liveState.set("offline");
  };
}

/** What an envelope means for the lists the screens hold. */
export class CachePatches {
  readonly #cache: QueryClient;

  constructor(cache: QueryClient) {
    this.#cache = cache;
  }

  apply({ topic, type, payload }: Envelope): void {
    if (topic !== "songs") return this.refresh(topic);
    if (type === "song.progress") return this.#progress(payload as SongProgress);
    const { song, song_id } = payload as { readonly song?: JsonValue; readonly song_id?: string };
    if (type === "song.deleted" && song_id)
      return this.#patchSongs((songs) => songs.filter(({ id }) => id !== song_id));
    if (song === undefined) return this.refresh(topic);
    const fresh = fromJson(SongSchema, song, { ignoreUnknownFields: true });
    this.#patchSongs((songs) =>
      songs.some(({ id }) => id === fresh.id)
        ? songs.map((old) => (old.id === fresh.id ? fresh : old))
        : [fresh, ...songs],
    );
    void this.#cache.invalidateQueries({ queryKey: this.#key(MusicService.method.getSong) });
  }

  /** Reads a topic's lists again. */
  refresh(topic: string): void {
    for (const method of LISTS[topic] ?? []) void this.#cache.invalidateQueries({ queryKey: this.#key(method) });
  }

  checkSession(): void {
    void this.#cache.invalidateQueries({ queryKey: sessionKey });
  }

  #progress({ song_id, step, progress }: SongProgress): void {
    this.#patchSongs((songs) =>
      songs.map((song) =>
        song.id === song_id
          ? {
              ...song,
              step,
              percent: Math.round(progress * 100),
              ...(step === "analysis" && { analysisStatus: "processing" }),
              ...(step === "lighting" && { lightingStatus: "processing" }),
            }
          : song,
      ),
    );
  }

  #patchSongs(change: (songs: readonly Song[]) => readonly Song[]): void {
    this.#cache.setQueriesData<ListSongsResponse>({ queryKey: this.#key(MusicService.method.listSongs) }, (list) => {
      if (!list) return list;
      const songs = [...change(list.songs)];
      return { ...list, songs, totalSize: list.totalSize + songs.length - list.songs.length };
    });
  }

  #key(schema: DescMethodUnary) {
    return createConnectQueryKey({ schema, cardinality: "finite" });
  }
}

function parseEnvelope(data: unknown): Envelope | undefined {
  try {
    const value = JSON.parse(String(data)) as Partial<Envelope> | null;
    return value && typeof value.topic === "string" && typeof value.type === "string" ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

const lastEventId = (id: string | undefined) => (id === undefined ? {} : { last_event_id: id });
