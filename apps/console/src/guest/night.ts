import type { Envelope } from "@followspot/contract";
import { EventConnection, type LiveState } from "@followspot/contract/event-connection";
import type { GetMyNightResponseJson, GuestSongJson, GuestTalkJson, MyNightJson } from "@followspot/contract/guest";
import { socketUrl } from "../lib/socket-url.ts";
import { createStore } from "../lib/store.ts";
import { call, type Refusal } from "./call.ts";
import { linkedEvent } from "./links.ts";
import { withHeard, withSongVote, withTalkVote } from "./votes.ts";

const KEPT = "followspot.me.night";
/** Minimum delay and random spread before a refresh, so that 500 phones do not all request the same change at once. */
const LEAST_WAIT_MS = 300;
const SPREAD_MS = 1500;
const TOPICS = ["events", "playlists", "queue"];

/** Receives the events of one topic, such as a chat thread. */
interface Listener {
  readonly hear: (envelope: Envelope) => void;
  /** Called when events were lost, so that the data must be loaded again. */
  readonly miss: () => void;
}

export interface NightView {
  readonly state: "loading" | "signed-out" | "ready";
  readonly night: MyNightJson | undefined;
  /** Reason why the displayed data may be out of date; empty if it is current. */
  readonly problem: string;
  readonly live: LiveState;
}

/** Data of the guest's night: loaded once, updated by events, and stored for use without a network. */
export class Night {
  readonly view = createStore<NightView>({ state: "loading", night: undefined, problem: "", live: "reconnecting" });
  readonly #listeners = new Map<string, Listener>();
  #connection: EventConnection | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** ID of the event that the guest chose or a link opened; empty for the current event. */
  #eventId = linkedEvent;
  /** Number of requests and votes. The response to a request from before a later one is outdated and ignored. */
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
      const refusal = error as Refusal; // the only error of call()
      if (refusal.isSignedOut) return this.forget();
      // The event was deleted or the link is outdated: shows the current event instead.
      if (refusal.code === "not_found" && this.#eventId !== "") return this.choose("");
      this.#set({ state: this.view.get().night ? "ready" : "loading", problem: refusal.message });
      this.#again ??= setTimeout(() => void this.refresh(), 3 * SPREAD_MS);
    }
  }

  /** Refreshes within two seconds, once for several changes. */
  refreshSoon(): void {
    this.#again ??= setTimeout(() => void this.refresh(), LEAST_WAIT_MS + Math.random() * SPREAD_MS);
  }

  choose(eventId: string): Promise<void> {
    this.#eventId = eventId;
    return this.refresh();
  }

  /** Removes all data of the guest from the phone after signing out. */
  forget(): void {
    this.#connection?.close();
    this.#connection = undefined;
    keep(undefined);
    this.#set({ state: "signed-out", night: undefined, problem: "" });
  }

  /**
   * Subscribes to a topic.
   * @returns function that unsubscribes
   */
  listen(topic: string, listener: Listener): () => void {
    this.#listeners.set(topic, listener);
    this.#connection?.follow(topic);
    return () => {
      if (this.#listeners.get(topic) !== listener) return;
      this.#listeners.delete(topic);
      this.#connection?.ignore(topic);
    };
  }

  /**
   * Applies a vote to the view at once. The server's count replaces it; a failed vote is reverted.
   * @throws Refusal
   */
  async voteTalk({ id = "", voted = false }: GuestTalkJson): Promise<void> {
    await this.#optimistic(
      (night) => withTalkVote(night, id, !voted),
      () => call(`talk.v1.TalkService/${voted ? "Unvote" : "Vote"}`, { talkId: id }),
    );
  }

  /**
   * Votes for a song of the playlist in the same way.
   * @throws Refusal
   */
  async voteSong({ id = "", voted = false }: GuestSongJson, playlistId: string): Promise<void> {
    await this.#optimistic(
      (night) => withSongVote(night, id, !voted),
      () => call("music.v1.MusicService/VotePlaylistSong", { playlistId, songId: id, up: !voted }),
    );
  }

  async #optimistic(change: (night: MyNightJson) => MyNightJson, send: () => Promise<unknown>): Promise<void> {
    this.#change(change);
    // Responses to earlier requests do not include the vote.
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

  /** @param since ID of the last event before the night was loaded */
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
    // Only the chat tab loads threads.
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
    return undefined; // a private window, or data of another version
  }
}

function keep(night: MyNightJson | undefined): void {
  try {
    if (night) localStorage.setItem(KEPT, JSON.stringify(night));
    else localStorage.removeItem(KEPT);
  } catch {
    // private window: the data lasts as long as the page is open
  }
}
