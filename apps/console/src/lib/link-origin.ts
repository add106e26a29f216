/**
 * Returns the origin of links for other people and machines. The server states it in the page if it differs from the
 * page's origin: FOLLOWSPOT_PUBLIC_URL is set, or the page was opened at localhost.
 */
export const linkOrigin = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="link-origin"]')?.content ?? window.location.origin;
