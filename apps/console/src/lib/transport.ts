import { createConnectTransport } from "@connectrpc/connect-web";
import { unreachable } from "./http.ts";

/** The console is served by its own API: same host, JSON bodies, session cookie. */
export const transport = createConnectTransport({
  baseUrl: window.location.origin,
  useBinaryFormat: false,
  fetch: (input, init) =>
    fetch(input, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
      throw init?.signal?.aborted ? error : unreachable(error);
    }),
});
