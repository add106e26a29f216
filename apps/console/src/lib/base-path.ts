/**
 * Path below which a proxy serves Followspot, such as "/lights"; empty at the root of a host. The server states it in
 * each page.
 */
export const basePath = (): string =>
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? "";

/** Returns the address of a path of this server, such as "/media/ID"; other addresses unchanged. */
export const serverPath = (path: string): string => (path.startsWith("/") ? basePath() + path : path);
