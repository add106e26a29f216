import { remember, remembered } from "../../lib/list-memory.ts";
import { sharedConnection } from "../../lib/shared-connection.ts";
import { openMicrophone } from "./microphone.ts";
import { NO_SOUND, SoundConnection } from "./sound-connection.ts";

const DEVICE_KEY = "followspot.microphone";

const shared = sharedConnection(
  "/lights/sound",
  NO_SOUND,
  (url, onView) => new SoundConnection({ url, onView, openMicrophone }),
  // An active microphone continues on every page.
  ({ microphone }) => microphone !== "off",
);

/** State of live sound on this console; all components share one connection. */
export const useSound = shared.use;

export const leadSound = (deviceId: string): void => void shared.now()?.lead(deviceId);

/** Returns the input that was last chosen in this browser. */
export const rememberedDevice = (): string => remembered(DEVICE_KEY)[0] ?? "";
export const rememberDevice = (id: string): void => remember(DEVICE_KEY, id === "" ? [] : [id]);
