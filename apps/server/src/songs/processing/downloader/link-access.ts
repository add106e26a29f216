import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../../../platform/settings.ts";
import { StepError } from "../step-error.ts";

/** How the server connects to sites. */
export interface LinkAccess {
  /** Path of a file with the cookies of a signed-in browser. */
  readonly cookies: string | undefined;
  /** Proxy URL (http, https or socks5), with or without a name and password. */
  readonly proxy: string | undefined;
}

/** Hosts that are never reached through a proxy. */
export const NEAR = "127.0.0.1,localhost,::1";

export const DIRECT: LinkAccess = { cookies: undefined, proxy: undefined };

export const accessOf = ({ FOLLOWSPOT_YTDLP_COOKIES, FOLLOWSPOT_PROXY }: Settings): LinkAccess => ({
  cookies: FOLLOWSPOT_YTDLP_COOKIES,
  proxy: FOLLOWSPOT_PROXY,
});

const SETTING = "FOLLOWSPOT_YTDLP_COOKIES";
const MAX_COOKIE_BYTES = 4 * 1024 * 1024;
/** Columns of a cookie line: domain, flag, path, secure, expiry, name, value. */
const COOKIE = /^[^\t\n]*(?:\t[^\t\n]*){5}\t([^\t\r\n]*)\r?$/gm;
/** Shortest cookie value and shortest login that count as secrets, in characters; shorter ones are common words. */
const VALUE_LENGTH = 6;
const LOGIN_LENGTH = 3;

/** Secrets of the settings that must not appear in any message: cookie values, name and password of the proxy. */
export type LinkSecrets = readonly string[];

/**
 * Reads the cookies if the settings name a file. The error for an unusable file names the setting and the remedy, never
 * the path or content of the file.
 *
 * @throws StepError
 */
export async function readCookies({ cookies }: LinkAccess): Promise<string | undefined> {
  if (cookies === undefined) return undefined;
  const file = await stat(cookies).catch(() => undefined);
  if (!file?.isFile())
    throw new StepError(`${SETTING} names no file. Put the cookies there, or take the setting away; then retry.`);
  if (process.platform !== "win32" && (file.mode & 0o077) !== 0)
    throw new StepError(
      `Others than its owner may read the file ${SETTING} names, which signs them in. Give it mode 0600, then retry.`,
    );
  if (file.size > MAX_COOKIE_BYTES) throw notCookies();
  const text = await readFile(cookies, "utf8").catch(() => {
    throw new StepError(`The server may not read the file ${SETTING} names. Make the server its owner, then retry.`);
  });
  if (text.match(COOKIE) === null) throw notCookies();
  return text;
}

const notCookies = () =>
  new StepError(
    `The file ${SETTING} names holds no cookies. Export them in Netscape's format (cookies.txt), then retry.`,
  );

/**
 * Copies the cookies into a program's private folder, because the program writes to its cookie file.
 * @returns path of the copy
 */
export async function lendCookies(text: string, folder: string): Promise<string> {
  const path = join(folder, "cookies.txt");
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

export function secretsOf({ proxy }: LinkAccess, cookies: string | undefined): LinkSecrets {
  const values = [...(cookies ?? "").matchAll(COOKIE)].map(([, value = ""]) => value);
  const { username = "", password = "" } = (proxy && URL.parse(proxy)) || {};
  const login = [username, password].flatMap((part) => [part, decoded(part)]);
  return [
    ...values.filter(({ length }) => length >= VALUE_LENGTH),
    ...login.filter(({ length }) => length >= LOGIN_LENGTH),
  ];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it contains a literal percent sign
  }
}

/** Returns the proxy for requests by Node itself, which supports http:// and https:// proxies only. */
export const httpProxyOf = (access: LinkAccess | undefined): string | undefined =>
  access?.proxy?.startsWith("http") ? access.proxy : undefined;

/**
 * Returns the environment variables that pass the proxy to programs. As an argument, every user of the machine could
 * read it.
 */
export function proxyEnvironment({ proxy }: LinkAccess): NodeJS.ProcessEnv {
  return proxy === undefined ? {} : { http_proxy: proxy, https_proxy: proxy, no_proxy: NEAR };
}
