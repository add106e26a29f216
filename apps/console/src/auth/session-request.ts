import { serverPath } from "../lib/base-path.ts";

/** Time limit of the session request, ms. Without a response the page treats the session as missing and reports it. */
const ANSWER_MS = 30_000;

/** Returns the session embedded in the page, once; undefined if the page contains none. */
export function sessionOfPage(): string | null | undefined {
  const said = document.getElementById("session");
  said?.remove(); // Later requests go to the server.
  return said?.textContent;
}

/** Requests the session with a plain call, because the sign-in page opens before the RPC library is loaded. */
export const requestSession = (signal: AbortSignal): Promise<Response> =>
  fetch(serverPath("/followspot.auth.v1.AuthService/GetSession"), {
    method: "POST",
    headers: { "content-type": "application/json", "connect-protocol-version": "1" },
    credentials: "same-origin",
    body: "{}",
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
