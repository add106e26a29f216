/**
 * Origin of links for other people and machines. The server names it in the page if it is not the page's own: because
 * FOLLOWSPOT_PUBLIC_URL is set, or because the page was opened at localhost.
 */
export const linkOrigin = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="link-origin"]')?.content ?? window.location.origin;
