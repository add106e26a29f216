import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { pino, stdTimeFunctions, type Logger } from "pino";

export type Log = Logger;

/** Field names that are redacted at any depth. */
const SECRETS = ["authorization", "cookie", "token", "secret", "password", "code", "lease_token"];
const REPEAT_MS = 60_000;
const LEVEL_NAMES = new Map(Object.entries(pino.levels.labels).map(([level, name]) => [Number(level), name]));

export interface LogSettings {
  readonly FOLLOWSPOT_LOG_LEVEL: string;
  readonly FOLLOWSPOT_LOG_FORMAT: "text" | "json";
}

/**
 * Opens the log of a process on stderr: one line per message for people, or JSON for collectors, which also
 * names time, host and version. Fields such as `request` and `song` follow the message; secrets are never written.
 */
export function openLog(process: string, settings: LogSettings): Log {
  const isText = settings.FOLLOWSPOT_LOG_FORMAT === "text";
  return pino(
    {
      level: settings.FOLLOWSPOT_LOG_LEVEL,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[secret]" },
      base: { process, host: hostname(), version: ownVersion() },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: pino.stdSerializers.err },
    },
    isText
      ? { write: (line: string) => void globalThis.process.stderr.write(toText(line)) }
      : pino.destination({ dest: 2, sync: true }).on("error", () => undefined), // see outliveReaders
  );
}

function ownVersion(): string {
  const text = readFileSync(new URL("../../../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Suppresses a line that was logged within the last minute, for work that retries often. */
export function withoutRepeats(say: (line: string) => void, now = () => performance.now()): (line: string) => void {
  const saidAt = new Map<string, number>();
  return (line) => {
    const at = now();
    for (const [said, when] of saidAt) if (at - when >= REPEAT_MS) saidAt.delete(said);
    if (saidAt.has(line)) return;
    saidAt.set(line, at);
    say(line);
  };
}

/** Formats `main-api warn: the broker does not answer {"stream":"SONGS"}`, with the stack of an error below. */
function toText(line: string): string {
  const {
    level,
    process,
    msg,
    err,
    time: _time,
    host: _host,
    version: _version,
    ...fields
  } = JSON.parse(line) as {
    level: number;
    process: string;
    msg?: string;
    err?: { stack?: string; message?: string };
    time?: string;
    host?: string;
    version?: string;
  };
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
  const stack = err ? `\n${err.stack ?? err.message ?? ""}` : "";
  return `${process} ${LEVEL_NAMES.get(level) ?? level}: ${oneLine(msg ?? "")}${more}${stack}\n`;
}

/** Removes line breaks, so that foreign text cannot imitate a log line. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
