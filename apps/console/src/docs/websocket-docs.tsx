import type { ReactNode } from "react";
import { Playground } from "./playground/playground.tsx";
import { websocketStrings as text } from "./websocket.strings.ts";

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

const PRESSES = `{ "type": "press", "id": "3f0c…", "control": "blackout", "value": true, "pressed_at": 1767627004000 }
{ "type": "press", "id": "3f0d…", "control": "color/front", "value": "#ff0000" }
{ "type": "press", "id": "3f0e…", "control": "all", "value": null }`;

const DESK = `{ "type": "taken", "id": "3f0c…", "revision": 12 }
{ "type": "refused", "id": "3f0f…", "message": "The master takes a number from 0 to 1." }
{
  "type": "desk",
  "run": "9b2e…",
  "revision": 12,
  "hands": { "blackout": { "value": true, "owner": "…", "owner_name": "Ana", "since": 1767627004000 } },
  "groups": [{ "id": "front", "name": "Front" }],
  "mode": "playing",
  "song_id": "…",
  "outputs": 1,
  "you": "…",
  "now": 1767627004000
}`;

/** The three sockets: to try, in words and in examples. */
export function WebSocketDocs() {
  const { events, topics, closing, playback, desk } = text;
  return (
    <div className="grid max-w-7xl items-start gap-6 lg:grid-cols-2">
      <Playground />
      <div className="flex min-w-0 flex-col gap-6">
        <Chapter title={events.title}>
          <p>{events.text}</p>
          <Example title={events.hello}>{HELLO}</Example>
          <Example title={events.ack}>{ACK}</Example>
          <Example title={events.envelope}>{ENVELOPE}</Example>
        </Chapter>
        <Chapter title={topics.title}>
          <p>{topics.text}</p>
          <p>{topics.subscribing}</p>
          <Example title={topics.messages}>{SUBSCRIBE}</Example>
        </Chapter>
        <Chapter title={closing.title}>
          <dl className="grid grid-cols-[4rem_1fr] gap-y-1">
            {closing.codes.map(([code, meaning]) => (
              <Code key={code} code={code}>
                {meaning}
              </Code>
            ))}
          </dl>
        </Chapter>
        <Chapter title={playback.title}>
          <p>{playback.text}</p>
          <Example title={playback.messages}>{PLAYBACK}</Example>
        </Chapter>
        <Chapter title={desk.title}>
          <p>{desk.text}</p>
          <Example title={desk.messages}>{PRESSES}</Example>
          <Example title={desk.answers}>{DESK}</Example>
        </Chapter>
      </div>
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
