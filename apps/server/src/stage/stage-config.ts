import { isIP } from "node:net";
import type { LivePlan } from "@followspot/lighting";
import { z } from "zod";
import { readDeviceName, type DeviceName } from "./sound/sound-device.ts";

const stageEnvSchema = z.object({
  FOLLOWSPOT_STAGE_PORT: z.coerce.number().int().min(0).max(65535),
  FOLLOWSPOT_STAGE_SECRET: z.string().min(16),
  FOLLOWSPOT_DATA_DIR: z.string().min(1),
  FOLLOWSPOT_API: z.url(),
  FOLLOWSPOT_OSC_PORT: z.preprocess(
    (text) => (text === "" ? undefined : text),
    z.coerce.number().int().min(0).max(65535).optional(),
  ),
  FOLLOWSPOT_OSC_HOST: z.string().min(1).default("127.0.0.1"),
  FOLLOWSPOT_SOUND_DEVICE: z
    .string()
    .optional()
    .transform((text) => (text ? readDeviceName(text) : undefined)),
  FOLLOWSPOT_FFMPEG: z.string().optional(),
  FOLLOWSPOT_SEARCH_ADDRESSES: z
    .string()
    .transform((text) => text.split(",").map((address) => address.trim()))
    .transform((addresses) => addresses.filter((address) => address !== ""))
    .refine((addresses) => addresses.every(isPlace), "must be IPv4 addresses, each with a port or without")
    .default([]),
});

/** "10.0.0.7", or "10.0.0.7:6455". */
function isPlace(text: string): boolean {
  const [address = "", port = "6454", more] = text.split(":");
  return (
    isIP(address) === 4 && /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65536 && more === undefined
  );
}

export interface StageConfig {
  /** 0 = any free port, told to the parent process. */
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
  /** UDP ports other than the protocols' own, in tests. */
  readonly watchPorts?: { readonly artnet: number; readonly sacn: number };
}

/** @throws Error naming every missing or bad variable at once */
export function stageConfig(env: NodeJS.ProcessEnv): StageConfig {
  const parsed = stageEnvSchema.safeParse(env);
  if (!parsed.success) {
    throw new Error(
      `stage configuration: ${parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")}`,
    );
  }
  return {
    port: parsed.data.FOLLOWSPOT_STAGE_PORT,
    secret: parsed.data.FOLLOWSPOT_STAGE_SECRET,
    dataDir: parsed.data.FOLLOWSPOT_DATA_DIR,
    api: parsed.data.FOLLOWSPOT_API.replace(/\/$/, ""),
    ...(parsed.data.FOLLOWSPOT_OSC_PORT !== undefined && {
      osc: { host: parsed.data.FOLLOWSPOT_OSC_HOST, port: parsed.data.FOLLOWSPOT_OSC_PORT },
    }),
    ...(parsed.data.FOLLOWSPOT_SOUND_DEVICE && { soundDevice: parsed.data.FOLLOWSPOT_SOUND_DEVICE }),
    ...(parsed.data.FOLLOWSPOT_FFMPEG && { ffmpeg: parsed.data.FOLLOWSPOT_FFMPEG }),
    searchAddresses: parsed.data.FOLLOWSPOT_SEARCH_ADDRESSES,
  };
}
