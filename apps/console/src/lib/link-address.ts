import { basePath } from "./base-path.ts";

/** Returns the address of the server as this page was opened, such as "http://localhost:3000" or "https://host/lights". */
export const serverAddress = (): string => window.location.origin + basePath();

/**
 * Returns the address with which links for other people and machines start. The server states it in the page if it
 * differs from {@link serverAddress}: FOLLOWSPOT_PUBLIC_URL is set, or the page was opened at localhost.
 */
export const linkAddress = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="link-address"]')?.content ?? serverAddress();

/** Whether only this computer can open links: they name a loopback address. */
export const isLinkLocal = (): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(linkAddress()).hostname);
