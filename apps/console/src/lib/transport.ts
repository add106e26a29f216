import { createConnectTransport } from "@connectrpc/connect-web";

/** The console is served by its own API: same host, JSON bodies, session cookie. */
export const transport = createConnectTransport({
  baseUrl: window.location.origin,
  useBinaryFormat: false,
  fetch: (input, init) => fetch(input, { ...init, credentials: "same-origin" }),
});
