import { deskPressSchema, eventsClientMessageSchema, playbackCommandSchema } from "@followspot/contract";
import { newKey } from "../../lib/new-key.ts";
import type { MessageSchema } from "./message-problems.ts";

/** A socket that can be tried, by its name in the address of the page. */
export type SocketName = "events" | "desk" | "playback";

interface PlaygroundSocket {
  readonly path: (songId: string) => string;
  readonly schema: MessageSchema;
  /** What it sends changes what lamps do, so it is asked for first. */
  readonly movesLamps: boolean;
  /** Messages to begin with; presses have a new id each time, as one that was sent before counts no more. */
  readonly examples: () => readonly object[];
}

const topic = (type: string) => ({ type, payload: { topic: "songs" } });
const press = (control: string, value: unknown) => ({ type: "press", id: newKey().slice(0, 8), control, value });

export const SOCKETS: Readonly<Record<SocketName, PlaygroundSocket>> = {
  events: {
    path: () => "/ws/events",
    schema: eventsClientMessageSchema,
    movesLamps: false,
    examples: () => [topic("Subscribe"), topic("Unsubscribe"), { type: "Ping" }],
  },
  desk: {
    path: () => "/lights/desk",
    schema: deskPressSchema,
    movesLamps: true,
    examples: () => [press("blackout", true), press("blackout", null), press("color", "#ff0000"), press("all", null)],
  },
  playback: {
    path: (songId) => `/lights/playback/${encodeURIComponent(songId)}`,
    schema: playbackCommandSchema,
    movesLamps: true,
    examples: () => [
      { type: "prepare_playback" },
      { type: "play", position: 0 },
      { type: "pause" },
      { type: "seek", position: 61.5 },
      { type: "stop" },
    ],
  },
};

/** First words on `/ws/events`; the session of the page says who it is. */
export const helloFor = (topics: string) => ({
  type: "ClientHello",
  payload: { token: "", platform: "web", subscriptions: topics.split(/[\s,]+/).filter(Boolean) },
});
