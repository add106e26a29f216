import type { LivePlan } from "@followspot/lighting";
import type { Log } from "../platform/log.ts";
import type { SpanSink } from "../platform/traces.ts";
import { required, type Settings } from "../platform/settings.ts";
import { readDeviceName, type DeviceName } from "./sound/sound-device.ts";

export interface StageConfig {
  /** 0 = any free port, told by the server that is started. */
  readonly port: number;
  readonly secret: string;
  readonly dataDir: string;
  readonly api: string;
  /** Where OSC is listened to; undefined: nowhere. Port 0 is any free one. */
  readonly osc?: { readonly host: string; readonly port: number };
  /** A sound device of this machine that may lead live sound; undefined: none. */
  readonly soundDevice?: DeviceName;
  /** What live sound shows in place of planned shows, in tests. */
  readonly livePlan?: LivePlan;
  /** Reads it; found on the path when left out. */
  readonly ffmpeg?: string;
  /** Where a search for nodes asks; none asks everybody on the networks of this machine. */
  readonly searchAddresses?: readonly string[];
  /** Where traces of presses go; nowhere when left out. */
  readonly spans?: SpanSink | undefined;
  /** Where the stage writes its log; text on stderr when left out. */
  readonly log?: Log;
  /** UDP ports other than the protocols' own, in tests. */
  readonly watchPorts?: { readonly artnet: number; readonly sacn: number };
}

/** What the settings say to the stage. @throws SettingsError when the supervisor left out where it is */
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
