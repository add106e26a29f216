/* Apart from the shapes of messages: a page that opens a socket reads this without the library that checks shapes. */

/**
 * Close codes of both sockets. 4401: no valid sign-in. 4403: not allowed. 4408: no hello in time. 1013: reader too
 * slow. 1012: the stage is being started again; come back in a moment.
 */
export const CLOSE = {
  unauthenticated: 4401,
  forbidden: 4403,
  helloTimeout: 4408,
  tooSlow: 1013,
  stageAway: 1012,
} as const;

/** Seconds a new socket may wait before it says who it is: ClientHello on /ws/events, hello below /lights/. */
export const HELLO_SECONDS = 10;
