/** A session that does not answer is no session, and the door has to say so. */
const ANSWER_MS = 30_000;

/** Who is signed in, as the page itself says it, once; undefined when it says nothing. */
export function sessionOfPage(): string | null | undefined {
  const said = document.getElementById("session");
  said?.remove(); // what is asked later is asked of the server
  return said?.textContent;
}

/** Asks who is signed in, with a plain call: the door opens before the RPC library has arrived. */
export const requestSession = (signal: AbortSignal): Promise<Response> =>
  fetch("/followspot.auth.v1.AuthService/GetSession", {
    method: "POST",
    headers: { "content-type": "application/json", "connect-protocol-version": "1" },
    credentials: "same-origin",
    body: "{}",
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
