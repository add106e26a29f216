import type { DescService } from "@bufbuild/protobuf";
import { createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { EventConnection, type LiveState } from "./event-connection.ts";
import type { Envelope } from "./sockets.ts";

/** Where Followspot is, and as whom. */
export interface ClientOptions {
  /** Where the API answers, as `https://nights.example.org`. */
  readonly baseUrl: string;
  /** Bearer token: of VerifyLoginCode, or of `npm run admin -- token`. Left out in a page signed in by its cookie. */
  readonly token?: string;
  /** Milliseconds after which a call without an answer fails; 30,000 unless said. */
  readonly timeoutMs?: number;
}

/** What a listener is told. */
export interface Handlers {
  /** In the order in which it happened, each once for every topic. */
  readonly onEnvelope: (envelope: Envelope) => void;
  /**
   * The topic is followed from now on, or envelopes of it are lost for good: read by a call what it is about. A list that is
   * read here misses nothing.
   */
  readonly onReset?: (topic: string) => void;
  /** The server does not let this person hear the topic, or not any more. */
  readonly onRefused?: (topic: string, message: string) => void;
  /** "offline" after four attempts that failed; it is tried for ever, at most 30 seconds apart. */
  readonly onState?: (state: LiveState) => void;
  /** The token is not, or no longer, good. The listening has ended. */
  readonly onSignedOut?: () => void;
}

/** Topics that are followed, until it is closed. */
export interface Listening {
  readonly follow: (topic: string) => void;
  readonly ignore: (topic: string) => void;
  readonly close: () => void;
}

/** Followspot for an app of your own. */
export interface Followspot {
  /** Typed calls of one service: `app.service(ChatService).sendMessage({ threadId, text })`. They fail with a ConnectError. */
  readonly service: <Service extends DescService>(service: Service) => Client<Service>;
  /**
   * Follows topics on /ws/events. A connection that is lost is opened again after growing, jittered waits; each
   * topic then continues after the last envelope that was received of it, or is reset.
   */
  readonly listen: (topics: readonly string[], handlers: Handlers) => Listening;
}

const TIMEOUT_MS = 30_000;

/**
 * Calls and live events of a Followspot, in browsers and in Node 22 or newer. Nothing is opened before the first call
 * or `listen`.
 *
 * @throws TypeError for an invalid base URL
 * @example
 * const app = connect({ baseUrl: "http://localhost:3000", token });
 * const { songs } = await app.service(MusicService).listSongs({});
 * app.listen(["songs"], { onEnvelope: ({ type, payload }) => console.log(type, payload) });
 */
export function connect({ baseUrl, token, timeoutMs = TIMEOUT_MS }: ClientOptions): Followspot {
  const { origin, pathname } = new URL(baseUrl);
  const server = origin + pathname.replace(/\/$/, "");
  const events = new URL(`${server}/ws/events`);
  events.protocol = events.protocol === "https:" ? "wss:" : "ws:";
  const signed: Interceptor = (next) => (request) => {
    if (token) request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: server,
    useBinaryFormat: false,
    defaultTimeoutMs: timeoutMs,
    interceptors: [signed],
  });
  return {
    service: (service) => createClient(service, transport),
    listen: (topics, { onEnvelope, onReset, onRefused, onState, onSignedOut }) => {
      const connection = new EventConnection(
        {
          url: events.href,
          ...(token && { token }),
          onEnvelope,
          onReset: (topic) => onReset?.(topic),
          onRefused: (topic, message) => onRefused?.(topic, message),
          onState: (state) => onState?.(state),
          onUnauthenticated: () => {
            connection.close();
            onSignedOut?.();
          },
          isOnline: () => true,
        },
        topics,
      );
      return {
        follow: (topic) => connection.follow(topic),
        ignore: (topic) => connection.ignore(topic),
        close: () => connection.close(),
      };
    },
  };
}
