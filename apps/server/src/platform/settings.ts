import { isIP } from "node:net";
import { resolve } from "node:path";
import { JOB_STEPS } from "@followspot/contract";
import { isSupportedCountry, type CountryCode } from "libphonenumber-js/min";
import { z } from "zod";
import { isDatabaseUrl } from "./database/database-url.ts";
import { readS3Address } from "./files/s3-address.ts";

/** Root folder of the checkout. */
export const ROOT = resolve(import.meta.dirname, "../../../..");

/** Parses a whole number from text. */
const whole = (from: number, to: number) => {
  const error = `must be a whole number ${from} to ${to}`;
  return z.coerce.number(error).int(error).min(from, error).max(to, error);
};
const port = whole(1, 65_535);
const optionalPath = z.string().min(1).optional();
/** Accepts an address, or a network such as 10.0.0.0/8. */
const isAddress = (text: string) => {
  const [address = "", bits, ...rest] = text.split("/");
  const size = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return size > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size));
};
/** "10.0.0.7", or "10.0.0.7:6455". */
const isNodeAddress = (text: string) => {
  const [address = "", asked = "6454", ...rest] = text.split(":");
  return isIP(address) === 4 && rest.length === 0 && /^\d{1,5}$/.test(asked) && port.safeParse(asked).success;
};
/** Splits comma-separated text, without empty parts. */
const listed = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
/** Accepts an origin as browsers send it, such as "https://app.example.org". */
const isOrigin = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.origin === text;
};
const isLoopback = ({ hostname }: URL) => ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
const isHostAddress = (text: string) => isServerAddress(text) && new URL(text).pathname === "/";
/** Accepts the address of a Followspot server, which a proxy may serve below a path. */
const isServerAddress = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.href === url.origin + url.pathname;
};
const withoutEndSlash = (url: string) => url.replace(/\/+$/, "");
/** A proxy of one of the kinds both we and the downloader know, with a name and password or without. */
const isBrokerUrl = (text: string) =>
  text.split(",").every((address) => ["nats:", "tls:"].includes(URL.parse(address)?.protocol ?? ""));
const isProxy = (text: string) => {
  const url = URL.parse(text);
  const isKnown = ["http:", "https:", "socks5:"].includes(url?.protocol ?? "");
  return isKnown && url !== null && url.hostname !== "" && ["", "/"].includes(url.pathname) && !url.search && !url.hash;
};
/** Accepts a host name with a domain, such as "soundcloud.com". */
const isSite = (host: string) => /^(?!.*\.\d+$)([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,}$/.test(host);
/** Accepts the base address of a collector; `/v1/traces` is appended. */
const isCollector = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) && !/[?#@]/.test(text);
};
/** Accepts addresses that cannot be tampered with in transit, because programs fetched from there are run. */
const isSafeAddress = (text: string) => {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
};
/** Accepts one of the given forms; a form with ":/" represents any full path. */
const engine = (...forms: readonly string[]) => {
  const isForm = (text: string) =>
    forms.some((form) => {
      const [name = "", path] = form.split(":/");
      return path === undefined ? text === name : text.startsWith(`${name}:/`) && text.length > name.length + 2;
    });
  return z
    .string()
    .refine(isForm, `must be ${forms.join(" or ")}`)
    .default("built-in");
};

/**
 * Schema of all settings. Unknown names that start with FOLLOWSPOT_ are rejected, so that a typo is found at startup
 * instead of during a night.
 */
const schema = z.object({
  PORT: port.default(3000),
  /** `localhost` stands for 127.0.0.1 and ::1. An IPv6 address may have brackets. */
  HOST: z
    .string()
    .min(1)
    .transform((host) => host.replace(/^\[(.+)\]$/, "$1"))
    .default("localhost"),
  /** With several hosts, separated by commas, connections go to the one that accepts writes. */
  DATABASE_URL: z.string().refine(isDatabaseUrl, "must be postgres://…").optional(),
  /**
   * Owner of the tables, if several communities share them: the data folder of the first one, or postgres://… of the
   * owner. Used only by admin commands that create or remove tables or communities.
   */
  FOLLOWSPOT_DATABASE_OWNER: z.string().min(1).optional(),
  /** One address, or comma-separated addresses of a cluster. */
  NATS_URL: z.string().refine(isBrokerUrl, "must be nats://…").optional(),
  /** Number of servers of the broker's cluster that store a message. */
  FOLLOWSPOT_NATS_REPLICAS: z.enum(["1", "3", "5"], "must be 1, 3 or 5").default("1").transform(Number),
  NATS_SERVER_BIN: optionalPath,
  /** Folder for all local data: database, broker, songs, secrets. */
  FOLLOWSPOT_DATA_DIR: z.string().min(1).default(resolve(ROOT, ".followspot")),
  /** Store of song files, instead of the data folder; credentials come from the sources of the AWS SDK. */
  FOLLOWSPOT_BLOBS: z
    .string()
    .transform((text, context) => {
      const address = readS3Address(text);
      if (typeof address !== "string") return address;
      context.addIssue({ code: "custom", message: address });
      return z.NEVER;
    })
    .optional(),
  /** Key that signs sign-in tokens; generated into the data folder if absent. Required when HOST is not loopback. */
  FOLLOWSPOT_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  /** Proxies whose X-Forwarded-For is trusted: comma-separated addresses or networks. */
  FOLLOWSPOT_TRUST_PROXY: z
    .string()
    .transform(listed)
    .refine((parts) => parts.every(isAddress), "must be addresses or networks such as 127.0.0.1 or 10.0.0.0/8")
    .default([]),
  /**
   * Comma-separated other origins that may call the API and open its sockets; they authenticate with a bearer token.
   */
  FOLLOWSPOT_ALLOWED_ORIGINS: z
    .string()
    .transform(listed)
    .refine(
      (origins) => origins.every(isOrigin),
      "must be origins such as https://app.example.org or http://localhost:5173, with commas between and nothing behind them",
    )
    .default([]),
  /** Seconds during which a stopping API server still answers, while a proxy learns from /healthz to use others. */
  FOLLOWSPOT_LEAVE_SECONDS: whole(0, 60).default(0),
  FOLLOWSPOT_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  /** `json` for a log collector. */
  /** Bearer token that opens /metrics and nothing else. */
  FOLLOWSPOT_METRICS_TOKEN: z.string().min(32, "must have at least 32 characters").optional(),
  FOLLOWSPOT_LOG_FORMAT: z.enum(["text", "json"]).default("text"),
  /** Collector of traces by OTLP over HTTP, such as http://collector:4318; without it nothing is traced. */
  FOLLOWSPOT_TRACES: z
    .string()
    .refine(isCollector, "must be the address of a collector such as http://collector:4318, without ?, # or a password")
    .optional(),
  /**
   * Address of the console for users: links and QR codes start with it and FOLLOWSPOT_BASE_PATH, and `npm start` prints
   * it.
   */
  FOLLOWSPOT_PUBLIC_URL: z
    .url()
    .refine(
      isHostAddress,
      "must be an address such as https://night.example.org, with nothing behind it; FOLLOWSPOT_BASE_PATH sets a path",
    )
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Serves https with a certificate of our own authority, which /trust offers to devices. */
  FOLLOWSPOT_HTTPS: z.enum(["on", "off"]).default("off"),
  /** Files of a certificate with its chain, and of its key, in PEM; they turn https on and are read again when they change. */
  FOLLOWSPOT_TLS_CERT: optionalPath,
  FOLLOWSPOT_TLS_KEY: optionalPath,
  /** Public host name for which a certificate is ordered by ACME; it turns https on. */
  FOLLOWSPOT_ACME: z.string().toLowerCase().refine(isSite, "must be a host name such as nights.example.org").optional(),
  /** Address to which the certificate authority sends warnings. */
  FOLLOWSPOT_ACME_EMAIL: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
    .optional(),
  /** Directory of the certificate authority. */
  FOLLOWSPOT_ACME_DIRECTORY: z
    .string()
    .refine(isSafeAddress, "must be https://… without ? or # (http:// on loopback)")
    .default("https://acme-v02.api.letsencrypt.org/directory"),
  /** Path below which a proxy serves Followspot, such as /lights; the proxy keeps it in the requests that it passes on. */
  FOLLOWSPOT_BASE_PATH: z
    .string()
    .regex(/^(\/[\w.~-]+)+\/?$/, "must be a path such as /lights")
    .transform((path) => path.replace(/\/$/, ""))
    .default(""),
  /** Redirect target of `/`. */
  FOLLOWSPOT_PUBLIC_SITE: z.url({ protocol: /^https?$/, error: "must be http(s)://…" }).optional(),
  /** Name of the community in mails and messages. */
  FOLLOWSPOT_COMMUNITY_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u, "must be one line of at most 60 characters")
    .default("Followspot"),
  /** Country of phone numbers without a country code, as in ISO 3166. */
  FOLLOWSPOT_COUNTRY: z
    .string()
    .toUpperCase()
    .pipe(z.custom<CountryCode>((text) => isSupportedCountry(String(text)), "must be two letters such as DE or US"))
    .optional(),
  /** Mail server for sign-in codes: smtp://user:password@host:587 or smtps://…; without one, codes are printed. */
  FOLLOWSPOT_SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be smtp://… or smtps://…" }).optional(),
  /** Sender of these mails. */
  FOLLOWSPOT_MAIL_FROM: z.string().regex(/@/, "must be an email address").optional(),
  /** Gateway that receives {"to", "text"} for every code by SMS. */
  FOLLOWSPOT_SMS_WEBHOOK: z.url({ protocol: /^https?$/, error: "must be http(s)://…" }).optional(),
  /** Bearer token for the gateway. */
  FOLLOWSPOT_SMS_TOKEN: z.string().min(1).optional(),
  FOLLOWSPOT_YTDLP: optionalPath,
  /** Oldest accepted version of yt-dlp, as YYYY.MM.DD. */
  FOLLOWSPOT_YTDLP_FLOOR: z
    .string()
    .regex(/^\d{4}\.\d{2}\.\d{2}$/, "must look like 2025.01.01")
    .default("2025.01.01"),
  /** Address of yt-dlp's releases, or `off` to fetch nothing. */
  FOLLOWSPOT_YTDLP_RELEASES: z
    .string()
    .refine(
      (text) => text === "off" || isSafeAddress(text),
      "must be off or https://… without ? or # (http:// on loopback)",
    )
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
  /** File with cookies in Netscape's format, mode 0600; sites treat the downloader as their owner. */
  FOLLOWSPOT_YTDLP_COOKIES: optionalPath,
  /** Proxy for sites, used by the downloader, its releases, covers and linked files. */
  FOLLOWSPOT_PROXY: z
    .string()
    .refine(isProxy, "must be http://, https:// or socks5://[name:password@]host:port")
    .optional(),
  /** Comma-separated hosts whose links are accepted in addition to the video site's. */
  FOLLOWSPOT_LINK_SITES: z
    .string()
    .toLowerCase()
    .transform(listed)
    .refine((hosts) => hosts.every(isSite), "must be hosts such as soundcloud.com,bandcamp.com")
    .default([]),
  /** Targets of the Art-Net node search: comma-separated IPv4 addresses, with or without a port. */
  FOLLOWSPOT_SEARCH_ADDRESSES: z
    .string()
    .transform(listed)
    .refine(
      (addresses) => addresses.every(isNodeAddress),
      "must be IPv4 addresses such as 10.0.0.7 or 10.0.0.7:6454, with commas between",
    )
    .default([]),
  FOLLOWSPOT_FFMPEG: optionalPath,
  /** UDP port for OSC to the live desk; without it OSC is off. */
  FOLLOWSPOT_OSC_PORT: port.optional(),
  /** Local address for OSC. Every device that reaches it can control the lights, because OSC has no sign-in. */
  FOLLOWSPOT_OSC_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0, "must be an address of this machine")
    .default("127.0.0.1"),
  /**
   * Sound input of the stage's machine, in ffmpeg's notation: `alsa:hw:1`, `avfoundation::0`, `dshow:audio=Line In`.
   */
  FOLLOWSPOT_SOUND_DEVICE: z
    .string()
    .regex(/^(alsa|pulse|jack|avfoundation|dshow):.+$/, "must be alsa:…, pulse:…, jack:…, avfoundation:… or dshow:…")
    .optional(),
  /**
   * Sound output through which this machine plays the show queue without a browser: `pulse`, `pipewire`, `alsa:hw:0`,
   * `file:/path.wav`.
   */
  FOLLOWSPOT_SOUND_OUTPUT: z
    .string()
    .regex(
      /^((pulse|pipewire)(:[^-].*)?|alsa:[^-].*|file:\/.+\.wav)$/,
      "must be pulse, pulse:sink, pipewire, pipewire:target, alsa:device or file:/full/path.wav",
    )
    .optional(),
  /** Delay of the sound output, ms; the typical delay of the kind if absent. */
  FOLLOWSPOT_SOUND_DELAY: whole(0, 2000).optional(),
  /** Number of songs that one worker processes in parallel. */
  FOLLOWSPOT_CONCURRENCY: whole(1, 64).default(2),
  /** Address of the server, for `npm run worker` on another machine. */
  FOLLOWSPOT_WORKER_SERVER: z
    .url()
    .refine(isServerAddress, "must be the server's address such as https://office.example, without ? or #")
    .transform(withoutEndSlash)
    .optional(),
  /** Token that the server showed when the worker was added. */
  FOLLOWSPOT_WORKER_TOKEN: z
    .string()
    .regex(/^fsw_[A-Za-z0-9_-]{43}$/, "must be fsw_ and 43 characters, as the page Workers has shown it")
    .optional(),
  /** Comma-separated steps that the worker runs. */
  FOLLOWSPOT_WORKER_STEPS: z
    .string()
    .transform(listed)
    .pipe(z.array(z.enum(JOB_STEPS, "must be some of download,analysis,lighting,stems")).min(1))
    .default([...JOB_STEPS]),
  /** Address of the office, for `npm run venue` on a venue server. */
  FOLLOWSPOT_VENUE_SERVER: z
    .url()
    .refine(isServerAddress, "must be the office's address such as https://office.example, without ? or #")
    .transform(withoutEndSlash)
    .optional(),
  /** Token that the office showed when the venue was added. */
  FOLLOWSPOT_VENUE_TOKEN: z
    .string()
    .regex(/^fsv_[A-Za-z0-9_-]{43}$/, "must be fsv_ and 43 characters, as the page Workers has shown it")
    .optional(),
  /** Whether analysis also writes stems. */
  FOLLOWSPOT_STEMS: z.enum(["on", "off"]).default("on"),
  /** Days without use after which a song's stems are removed; never if absent. */
  FOLLOWSPOT_KEEP_STEMS_DAYS: whole(1, 9999).optional(),
  /** Days without use after which a song's original is removed; never if absent. */
  FOLLOWSPOT_KEEP_ORIGINALS_DAYS: whole(1, 9999).optional(),
  /** Engines for beats, stems and tags; see docs/engines.md. */
  FOLLOWSPOT_BEATS_ENGINE: engine("built-in", "exec:/path/to/program", "beat-this:/path/to/model.onnx"),
  FOLLOWSPOT_STEMS_ENGINE: engine("built-in", "exec:/path/to/program", "demucs"),
  FOLLOWSPOT_TAGS_ENGINE: engine("built-in", "exec:/path/to/program"),
  /** Longest time of an engine for one song, s. */
  FOLLOWSPOT_ENGINE_SECONDS: whole(1, 86_400).default(1800),
  /** For tests: origin on loopback that replaces the video site. */
  FOLLOWSPOT_TEST_VIDEO_SITE: z
    .url()
    .refine((url) => isLoopback(new URL(url)), "must be on loopback")
    .optional(),
  /** Folder for automatic backups; without it backups are taken manually. */
  FOLLOWSPOT_BACKUP_DIR: optionalPath,
  /** Hours between two automatic backups. */
  FOLLOWSPOT_BACKUP_EVERY: whole(1, 8760).default(24),
  /** Number of automatic backups to retain. */
  FOLLOWSPOT_BACKUP_KEEP: whole(1, 9999).default(7),
  /**
   * Whether music resumes automatically after a power cut. If absent, it resumes after an outage of less than ten
   * minutes, and asks after a longer one.
   */
  FOLLOWSPOT_AFTER_OUTAGE: z.enum(["ask", "resume"]).optional(),
  /** Chromium for the browser tests. */
  FOLLOWSPOT_CHROMIUM: optionalPath,
});

/** Settings from the supervisor to its child processes; not for users. */
const internal = {
  FOLLOWSPOT_STAGE_PORT: port.optional(),
  FOLLOWSPOT_STAGE_SECRET: z.string().min(16).optional(),
  FOLLOWSPOT_API: z.url().optional(),
  /** Marks NATS_URL as the broker that the supervisor runs. */
  FOLLOWSPOT_OWN_BROKER: z.literal("1").optional(),
  /** Marks this process as the spare of a running one. */
  FOLLOWSPOT_SPARE: z.literal("1").optional(),
};

const allSettings = schema.extend(internal);
export type Settings = z.infer<typeof allSettings>;

/** All invalid settings at once; `problems` has one line per setting. */
export class SettingsError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`These settings are wrong:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Values of HOST that only this machine can reach. */
export const LOOPBACK: readonly string[] = ["127.0.0.1", "::1", "localhost"];

/**
 * Parses the environment.
 * @throws SettingsError that lists every invalid, missing or unknown setting at once
 */
export function parseSettings(env: Record<string, string | undefined>): Settings {
  const problems = Object.keys(env)
    .filter((name) => name.startsWith("FOLLOWSPOT_") && !(name in allSettings.shape))
    .map((name) => `${name}: there is no such setting`);
  // An empty value means "not set", as in a shell or a compose file.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = allSettings.safeParse(given);
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  if (parsed.data?.FOLLOWSPOT_SMTP_URL && !parsed.data.FOLLOWSPOT_MAIL_FROM)
    problems.push("FOLLOWSPOT_MAIL_FROM: needed with FOLLOWSPOT_SMTP_URL; give the address mail comes from");
  const { FOLLOWSPOT_TLS_CERT: cert, FOLLOWSPOT_TLS_KEY: key } = parsed.data ?? {};
  if ((cert === undefined) !== (key === undefined))
    problems.push(`${cert ? "FOLLOWSPOT_TLS_KEY" : "FOLLOWSPOT_TLS_CERT"}: certificate and key are set together`);
  const acme = parsed.data?.FOLLOWSPOT_ACME;
  if (acme && cert) problems.push("FOLLOWSPOT_ACME: cannot be set together with FOLLOWSPOT_TLS_CERT");
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems);
  return {
    ...parsed.data,
    ...((cert !== undefined || acme !== undefined) && { FOLLOWSPOT_HTTPS: "on" }),
    ...(acme !== undefined && { FOLLOWSPOT_PUBLIC_URL: parsed.data.FOLLOWSPOT_PUBLIC_URL ?? `https://${acme}` }),
    FOLLOWSPOT_DATA_DIR: resolve(parsed.data.FOLLOWSPOT_DATA_DIR),
  };
}

/** For entry points: returns the settings, or prints the problems to stderr and exits with code 1. */
export function settingsOrExit(): Settings {
  try {
    return parseSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Returns a setting that a process requires. @throws SettingsError */
export function required<Name extends keyof Settings>(settings: Settings, name: Name): NonNullable<Settings[Name]> {
  const value = settings[name];
  if (value === undefined || value === null) throw new SettingsError([`${name}: is needed here`]);
  return value;
}
