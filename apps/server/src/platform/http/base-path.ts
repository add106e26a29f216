/** Whether an address as it was requested, with its query, is below the base path. */
export const isBelowBasePath = (url: string, basePath: string): boolean =>
  url.startsWith(basePath) && /^([/?]|$)/.test(url.slice(basePath.length));

/**
 * Removes the base path from a requested address. Addresses without it are left as they are, for health checks and for
 * people who open the server itself.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (!isBelowBasePath(url, basePath)) return url;
  const path = url.slice(basePath.length);
  return path.startsWith("/") ? path : `/${path}`;
}
