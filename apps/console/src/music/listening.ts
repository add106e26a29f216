import type { Song } from "@followspot/contract/music";
import { serverPath } from "../lib/base-path.ts";
import { createStore } from "../lib/store.ts";
import { showToast } from "../ui/toast.tsx";
import { musicStrings } from "./music.strings.ts";

/** A song that plays only in this browser; the fixtures do not follow. */
export interface Listening {
  readonly song: Song;
  readonly isPlaying: boolean;
}

export const listening = createStore<Listening | undefined>(undefined);
/** Playback position, s. */
export const heardSeconds = createStore(0);

let sound: HTMLAudioElement | undefined;

/** Plays a song from its start, or resumes it if it is paused. */
export function listenTo(song: Song): void {
  const held = listening.get();
  if (held?.song.id !== song.id || !sound) {
    stopListening();
    sound = begin(song);
  }
  listening.set({ song, isPlaying: true });
  const playing = sound;
  playing.play().catch((error: Error) => {
    // Another press interrupted the start of playback.
    if (error.name !== "AbortError" && sound === playing) fail(song);
  });
}

export function holdListening(): void {
  sound?.pause();
}

export function listenFrom(seconds: number): void {
  if (!sound) return;
  sound.currentTime = seconds;
  heardSeconds.set(seconds);
}

export function stopListening(): void {
  const ended = sound;
  sound = undefined;
  ended?.pause();
  ended?.removeAttribute("src");
  ended?.load(); // Closes the connection.
  listening.set(undefined);
  heardSeconds.set(0);
}

function begin(song: Song): HTMLAudioElement {
  const audio = new Audio(serverPath(song.audio));
  const isCurrent = () => sound === audio;
  audio.addEventListener("timeupdate", () => isCurrent() && heardSeconds.set(audio.currentTime));
  audio.addEventListener("ended", () => isCurrent() && stopListening());
  audio.addEventListener("error", () => isCurrent() && fail(song));
  // Also if something else pauses it: a headset, another tab, the system.
  audio.addEventListener("pause", () => isCurrent() && listening.set({ song, isPlaying: false }));
  return audio;
}

function fail(song: Song): void {
  stopListening();
  showToast(musicStrings.listen.failed(song.title || musicStrings.untitled), { bad: true });
}
