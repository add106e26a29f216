import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../../platform/settings.ts";
import { StepError } from "../step-error.ts";

/** How sites are reached. */
export interface LinkAccess {
  /** Path of a file with cookies of a signed-in browser. */
  readonly cookies: string | undefined;
  /** http, https or socks5, with a name and password or without. */
  readonly proxy: string | undefined;
}

/** Never asked through a proxy. */
export const NEAR = "127.0.0.1,localhost,::1";

export const DIRECT: LinkAccess = { cookies: undefined, proxy: undefined };

export const accessOf = ({ FOLLOWSPOT_YTDLP_COOKIES, FOLLOWSPOT_PROXY }: Settings): LinkAccess => ({
  cookies: FOLLOWSPOT_YTDLP_COOKIES,
  proxy: FOLLOWSPOT_PROXY,
});

const SETTING = "FOLLOWSPOT_YTDLP_COOKIES";
const MAX_COOKIE_BYTES = 4 * 1024 * 1024;
/** Domain, flag, path, secure, expiry, name, value. */
const COOKIE = /^[^\t\n]*(?:\t[^\t\n]*){5}\t([^\t\r\n]*)\r?$/gm;
/** Shorter ones are words as any other. */
const VALUE_LENGTH = 6;
const LOGIN_LENGTH = 3;

/** What of the settings may be said nowhere: values of cookies, name and password of the proxy. */
export type LinkSecrets = readonly string[];

/**
 * The cookies, if the settings name some. Said of a file that cannot be used: the setting, and what to do; neither its
 * path nor a word of it.
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

/** Writes the cookies into a program's private folder, as it writes to what it is given. @returns their path there */
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
    return part; // a per cent sign of its own
  }
}

/** The proxy where we ask ourselves: Node knows http:// and https:// ones. */
export const httpProxyOf = (access: LinkAccess | undefined): string | undefined =>
  access?.proxy?.startsWith("http") ? access.proxy : undefined;

/** The proxy as programs take it from their environment: as an argument everybody on the machine could read it. */
export function proxyEnvironment({ proxy }: LinkAccess): NodeJS.ProcessEnv {
  return proxy === undefined ? {} : { http_proxy: proxy, https_proxy: proxy, no_proxy: NEAR };
}
