import type { LivePlan } from "@followspot/lighting";
import type { Log } from "../platform/process/log.ts";
import type { SpanSink } from "../platform/process/traces.ts";
import { required, type Settings } from "../platform/settings.ts";
import { readDeviceName, type DeviceName } from "./sound/sound-device.ts";

export interface StageConfig {
  /** 0 = any free port; the started server reports it. */
  readonly port: number;
  readonly secret: string;
  readonly dataDir: string;
  readonly api: string;
  /** Address of the OSC listener; undefined disables OSC. Port 0 is any free port. */
  readonly osc?: { readonly host: string; readonly port: number };
  /** Sound device of this machine that may drive live sound; undefined if there is none. */
  readonly soundDevice?: DeviceName;
  /** Plan for live sound instead of planned shows, in tests. */
  readonly livePlan?: LivePlan;
  /** Path of ffmpeg, which reads the sound device; searched on the PATH if omitted. */
  readonly ffmpeg?: string;
  /** Addresses that a search for nodes sends to; empty means broadcast on this machine's networks. */
  readonly searchAddresses?: readonly string[];
  /** Sink for traces of presses; not traced if omitted. */
  readonly spans?: SpanSink | undefined;
  /** Log of the stage; text on stderr if omitted. */
  readonly log?: Log;
  /** UDP ports other than those of the protocols, in tests. */
  readonly watchPorts?: { readonly artnet: number; readonly sacn: number };
}

/**
 * Reads the stage's configuration from the settings. @throws SettingsError if the supervisor did not set port, secret
 * or API address
 */
export function stageConfig(settings: Settings): StageConfig {
  const { FOLLOWSPOT_OSC_PORT, FOLLOWSPOT_OSC_HOST, FOLLOWSPOT_SOUND_DEVICE, FOLLOWSPOT_FFMPEG } = settings;
  const soundDevice = readDeviceName(FOLLOWSPOT_SOUND_DEVICE ?? "");
  return {
    port: required(settings, "FOLLOWSPOT_STAGE_PORT"),
    secret: required(settings, "FOLLOWSPOT_STAGE_SECRET"),
    dataDir: settings.FOLLOWSPOT_DATA_DIR,
    api: required(settings, "FOLLOWSPOT_API").replace(/\/$/, ""),
    ...(FOLLOWSPOT_OSC_PORT !== undefined && { osc: { host: FOLLOWSPOT_OSC_HOST, port: FOLLOWSPOT_OSC_PORT } }),
    ...(soundDevice && { soundDevice }),
    ...(FOLLOWSPOT_FFMPEG && { ffmpeg: FOLLOWSPOT_FFMPEG }),
    searchAddresses: settings.FOLLOWSPOT_SEARCH_ADDRESSES,
  };
}
