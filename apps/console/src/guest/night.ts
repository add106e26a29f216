import type { Envelope } from "@followspot/contract";
import { EventConnection, type LiveState } from "@followspot/contract/event-connection";
import type { GetMyNightResponseJson, GuestSongJson, GuestTalkJson, MyNightJson } from "@followspot/contract/guest";
import { socketUrl } from "../lib/socket-url.ts";
import { createStore } from "../lib/store.ts";
import { call, type Refusal } from "./call.ts";
import { linkedEvent } from "./links.ts";
import { withHeard, withSongVote, withTalkVote } from "./votes.ts";

const KEPT = "followspot.me.night";
/** 500 phones that hear of the same change do not all ask in the same moment. */
const LEAST_WAIT_MS = 300;
const SPREAD_MS = 1500;
const TOPICS = ["events", "playlists", "queue"];

/** Hears what comes on one topic, such as a chat thread. */
interface Listener {
  readonly hear: (envelope: Envelope) => void;
  /** Something was missed for good: read it again. */
  readonly miss: () => void;
}

export interface NightView {
  readonly state: "loading" | "signed-out" | "ready";
  readonly night: MyNightJson | undefined;
  /** Why what is shown may be old; empty while it is not. */
  readonly problem: string;
  readonly live: LiveState;
}

/** What a phone knows of its night: read once, kept true by what is told, and still there without a network. */
export class Night {
  readonly view = createStore<NightView>({ state: "loading", night: undefined, problem: "", live: "reconnecting" });
  readonly #listeners = new Map<string, Listener>();
  #connection: EventConnection | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** The event a person chose, or a link led to; empty: the one that is on. */
  #eventId = linkedEvent;
  /** Counts questions and votes: an answer from before a later one says nothing new. */
  #turn = 0;

  constructor() {
    const kept = readKept();
    if (kept) this.#set({ state: "ready", night: kept });
    void this.refresh();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && this.view.get().state === "ready") this.refreshSoon();
    });
  }

  async refresh(): Promise<void> {
    clearTimeout(this.#again);
    this.#again = undefined;
    const turn = ++this.#turn;
    try {
      const { night, newsSince } = await call<GetMyNightResponseJson>("guest.v1.GuestService/GetMyNight", {
        eventId: this.#eventId,
      });
      if (turn !== this.#turn) return;
      this.#set({ state: "ready", night, problem: "" });
      keep(night);
      this.#follow(newsSince);
    } catch (error) {
      const refusal = error as Refusal; // call() throws no other
      if (refusal.isSignedOut) return this.forget();
      // The event was deleted, or the link is an old one: the one that is on is shown.
      if (refusal.code === "not_found" && this.#eventId !== "") return this.choose("");
      this.#set({ state: this.view.get().night ? "ready" : "loading", problem: refusal.message });
      this.#again ??= setTimeout(() => void this.refresh(), 3 * SPREAD_MS);
    }
  }

  /** Reads it again within two seconds, once for many changes. */
  refreshSoon(): void {
    this.#again ??= setTimeout(() => void this.refresh(), LEAST_WAIT_MS + Math.random() * SPREAD_MS);
  }

  choose(eventId: string): Promise<void> {
    this.#eventId = eventId;
    return this.refresh();
  }

  /** Nothing of a person stays on a phone that is signed out. */
  forget(): void {
    this.#connection?.close();
    this.#connection = undefined;
    keep(undefined);
    this.#set({ state: "signed-out", night: undefined, problem: "" });
  }

  /** Follows a topic for as long as it is needed. Returns what ends it. */
  listen(topic: string, listener: Listener): () => void {
    this.#listeners.set(topic, listener);
    this.#connection?.follow(topic);
    return () => {
      if (this.#listeners.get(topic) !== listener) return;
      this.#listeners.delete(topic);
      this.#connection?.ignore(topic);
    };
  }

  /** Votes at once in what is shown; the server's count takes its place, or the vote is put back. @throws Refusal */
  async voteTalk({ id = "", voted = false }: GuestTalkJson): Promise<void> {
    await this.#optimistic(
      (night) => withTalkVote(night, id, !voted),
      () => call(`talk.v1.TalkService/${voted ? "Unvote" : "Vote"}`, { talkId: id }),
    );
  }

  /** The same for a song of the playlist. @throws Refusal */
  async voteSong({ id = "", voted = false }: GuestSongJson, playlistId: string): Promise<void> {
    await this.#optimistic(
      (night) => withSongVote(night, id, !voted),
      () => call("music.v1.MusicService/VotePlaylistSong", { playlistId, songId: id, up: !voted }),
    );
  }

  async #optimistic(change: (night: MyNightJson) => MyNightJson, send: () => Promise<unknown>): Promise<void> {
    this.#change(change);
    // What was asked for before does not know of it.
    this.#turn++;
    try {
      await send();
    } catch (error) {
      void this.refresh();
      throw error;
    }
  }

  #change(change: (night: MyNightJson) => MyNightJson): void {
    const { night } = this.view.get();
    if (night) this.#set({ night: change(night) });
  }

  #set(change: Partial<NightView>): void {
    this.view.set({ ...this.view.get(), ...change });
  }

  /** @param since id of the last envelope before the night was read */
  #follow(since: string | undefined): void {
    const { userId } = this.view.get().night ?? {};
    if (this.#connection || userId === undefined) return;
    this.#connection = new EventConnection(
      {
        url: socketUrl("/ws/events"),
        since,
        onEnvelope: (envelope) => this.#hear(envelope),
        onReset: (topic) => {
          const listener = this.#listeners.get(topic);
          if (listener) listener.miss();
          else this.refreshSoon();
        },
        onState: (live) => this.#set({ live }),
        onUnauthenticated: () => void this.refresh(),
        isOnline: () => navigator.onLine,
      },
      [...TOPICS, `user.${userId}`, ...this.#listeners.keys()],
    );
  }

  #hear(envelope: Envelope): void {
    const listener = this.#listeners.get(envelope.topic);
    if (listener) return listener.hear(envelope);
    // Threads are read in the chat alone.
    if (envelope.type.startsWith("thread.") || envelope.topic.startsWith("chat.")) return;
    const { night } = this.view.get();
    const patched = night && withHeard(night, envelope);
    if (patched) return this.#set({ night: patched });
    this.refreshSoon();
  }
}

function readKept(): MyNightJson | undefined {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === null ? undefined : (JSON.parse(kept) as MyNightJson);
  } catch {
    return undefined; // a private window, or a page of an older kind
  }
}

function keep(night: MyNightJson | undefined): void {
  try {
    if (night) localStorage.setItem(KEPT, JSON.stringify(night));
    else localStorage.removeItem(KEPT);
  } catch {
    // private window: it is shown for as long as the page is open
  }
}
