import { useEffect, useSyncExternalStore } from "react";
import { createStore } from "../../lib/store.ts";
import { openMicrophone } from "./microphone.ts";
import { NO_SOUND, SoundLine, type SoundView } from "./sound-line.ts";

/** Closed a little later, so that going from screen to screen keeps the line. */
const LINGER_MS = 2000;
const DEVICE_KEY = "followspot.microphone";

const view = createStore<SoundView>(NO_SOUND);
let line: SoundLine | undefined;
let users = 0;
let closing: ReturnType<typeof setTimeout> | undefined;

const openNow = () => line?.openNow();

function enter(): () => void {
  users++;
  clearTimeout(closing);
  if (!line || view.get().line === "ended") {
    line?.close();
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/lights/sound`;
    line = new SoundLine({ url, onView: view.set, openMicrophone });
    window.addEventListener("online", openNow);
  }
  return () => {
    users--;
    if (users === 0) closing = setTimeout(leave, LINGER_MS);
  };
}

/** A microphone that leads goes on, whatever page is shown. */
function leave(): void {
  if (users > 0) return;
  if (view.get().microphone !== "off") return void (closing = setTimeout(leave, LINGER_MS));
  line?.close();
  line = undefined;
  window.removeEventListener("online", openNow);
  view.set(NO_SOUND);
}

/** Live sound as this console sees it: one line for all that shows it. */
export function useSound(): SoundView {
  useEffect(enter, []);
  return useSyncExternalStore(view.subscribe, view.get);
}

export const leadSound = (deviceId: string): void => void line?.lead(deviceId);

/** The input chosen here last, in this browser. */
export const rememberedDevice = (): string => localStorage.getItem(DEVICE_KEY) ?? "";
export const rememberDevice = (id: string): void => localStorage.setItem(DEVICE_KEY, id);
