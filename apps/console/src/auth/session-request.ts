/** A session that does not answer is no session, and the door has to say so. */
const ANSWER_MS = 30_000;

let ahead: Promise<Response> | undefined;

/** Asks who is signed in while the console is still on its way; {@link requestSession} hands this answer out once. */
export function requestSessionAhead(): void {
  ahead = request(AbortSignal.timeout(ANSWER_MS));
  ahead.catch(() => undefined); // told to who takes the answer
}

/** Asks who is signed in, with a plain call: the door opens before the RPC library has arrived. */
export function requestSession(signal: AbortSignal): Promise<Response> {
  const asked = ahead;
  ahead = undefined;
  return asked ?? request(AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
}

const request = (signal: AbortSignal) =>
  fetch("/followspot.auth.v1.AuthService/GetSession", {
    method: "POST",
    headers: { "content-type": "application/json", "connect-protocol-version": "1" },
    credentials: "same-origin",
    body: "{}",
    signal,
  });
