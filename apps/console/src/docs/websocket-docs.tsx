import type { ReactNode } from "react";

const HELLO = `{
  "type": "ClientHello",
  "payload": {
    "token": "",
    "platform": "web",
    "subscriptions": ["songs", "events", "lights"]
  }
}`;

const ACK = `{
  "id": "01JB6Q0V0Q3VZ2W9T9S3QK6E1B",
  "topic": "control",
  "type": "ServerAck",
  "ts": "2026-01-05T15:30:00Z",
  "payload": { "connection_id": "01JB6Q0V0Q…", "heartbeat_sec": 30 }
}`;

const ENVELOPE = `{
  "id": "01JB6Q1C7H5M2R8Y4D0N6P9XWT",
  "topic": "songs",
  "type": "song.progress",
  "ts": "2026-01-05T15:30:04Z",
  "sequence": 412,
  "payload": { "song_id": "…", "step": "analysis", "progress": 0.42, "note": "" }
}`;

const SUBSCRIBE = `{ "type": "Subscribe", "payload": { "topic": "chat.thread.{threadId}", "last_event_id": "01JB…" } }
{ "type": "Unsubscribe", "payload": { "topic": "chat.thread.{threadId}" } }`;

const PLAYBACK = `{ "type": "stop" }
{ "type": "prepare_playback" }
{ "type": "play", "position": 0 }
{ "type": "pause" }
{ "type": "seek", "position": 61.5 }
{ "type": "sync", "position": 62, "sent_at": 1767627004000 }`;

/** The two sockets, in words and examples. */
export function WebSocketDocs() {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Chapter title="Events: /ws/events">
        <p>
          Connect, say ClientHello within 10 seconds, wait for ServerAck; Envelopes of the subscribed topics follow. A
          browser signed in by cookie leaves the token empty, a script puts its bearer token there. Connections without
          a valid token are closed.
        </p>
        <Example title="ClientHello (token, device_id?, app_version?, platform? (ios|android|web), subscriptions[]?)">
          {HELLO}
        </Example>
        <Example title="ServerAck (connection_id, heartbeat_sec)">{ACK}</Example>
        <Example title="Envelope (id, topic, type, ts, sequence?, payload)">{ENVELOPE}</Example>
      </Chapter>
      <Chapter title="Topics">
        <p>
          chat.thread.{"{threadId}"}, user.{"{userId}"}, group.{"{groupId}"}, songs, song.{"{id}"}, events, event.
          {"{id}"}, lights, stage, workers, director. Types are named noun.verb: message.created, message.updated,
          message.deleted, user.status_changed, song.progress.
        </p>
        <p>
          Subscribe and Unsubscribe at any time. With last_event_id, what came after that envelope is sent first; when
          it is too long ago the answer is Reset, and the lists have to be read again.
        </p>
        <Example title="Subscribe, Unsubscribe">{SUBSCRIBE}</Example>
      </Chapter>
      <Chapter title="Close codes">
        <dl className="grid grid-cols-[4rem_1fr] gap-y-1">
          <Code code="4401">No valid sign-in, or it has ended</Code>
          <Code code="4403">Not allowed</Code>
          <Code code="4408">No ClientHello in time</Code>
          <Code code="1013">Reading too slowly</Code>
        </dl>
      </Chapter>
      <Chapter title="Playback: /lights/playback/{id}">
        <p>
          Mirrors the playing of one song to the stage. Positions are seconds from the start of the song. The stage
          answers with its state and, to sync, with its own clock.
        </p>
        <Example title="Messages to the stage">{PLAYBACK}</Example>
      </Chapter>
    </div>
  );
}

function Chapter({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Example({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <figure>
      <figcaption className="mb-1 text-xs text-muted">{title}</figcaption>
      <pre tabIndex={0} className="overflow-auto rounded-lg border bg-surface p-3 font-mono text-xs">
        {children}
      </pre>
    </figure>
  );
}

function Code({ code, children }: { readonly code: string; readonly children: string }) {
  return (
    <>
      <dt className="font-mono text-xs">{code}</dt>
      <dd className="text-muted">{children}</dd>
    </>
  );
}
