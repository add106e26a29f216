import { z } from "zod";
import { soundCommandSchema } from "../live-sound.ts";
import { ASK_WHOLE } from "../sent-lamps.ts";
import { CLOSE, HELLO_SECONDS } from "../socket-words.ts";
import { deskPressSchema, eventsClientMessageSchema, playbackCommandSchema, stageHelloSchema } from "../sockets.ts";
import { deskMessageSchema, envelopeSchema, playbackMessageSchema, soundMessageSchema } from "./socket-messages.ts";
import type { Schema } from "./json-schema.ts";

const VERSION = "3.0.0";
const ref = (path: string) => ({ $ref: `#/${path}` });
const BINARY = { type: "string", format: "binary" };

interface Socket {
  readonly address: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, { readonly description: string }>>;
  /** What clients send. */
  readonly sent: Schema;
  /** What the server sends. */
  readonly heard: Schema;
}

/** Every socket of the API. What clients send is checked by the same schemas that the server reads it with. */
const SOCKETS: Readonly<Record<string, Socket>> = {
  events: {
    address: "/ws/events",
    description: `What changes, by topic. Say ClientHello first, within ${HELLO_SECONDS} seconds, and wait for ServerAck.`,
    sent: schemaOf(eventsClientMessageSchema),
    heard: schemaOf(envelopeSchema),
  },
  playback: {
    address: "/lights/playback/{songId}",
    description: "Leads the lamps by the playing of one song. Positions are seconds from the start of the song.",
    parameters: { songId: { description: "Id of the song." } },
    sent: schemaOf(playbackCommandSchema),
    heard: schemaOf(playbackMessageSchema),
  },
  desk: {
    address: "/lights/desk",
    description:
      "What people take out of the show's hands. A press is sent until it is taken: with the same id it counts once.",
    sent: { oneOf: [schemaOf(stageHelloSchema), schemaOf(deskPressSchema)] },
    heard: schemaOf(deskMessageSchema),
  },
  sound: {
    address: "/lights/sound",
    description: "Live sound. After start, blocks of samples follow as binary messages (docs/guide/live-sound.md).",
    sent: { oneOf: [schemaOf(stageHelloSchema), schemaOf(soundCommandSchema), BINARY] },
    heard: schemaOf(soundMessageSchema),
  },
  lamps: {
    address: "/lights/lamps",
    description: "The slots of every universe, as they leave the stage, as binary messages (docs/guide/outputs.md).",
    sent: { oneOf: [schemaOf(stageHelloSchema), { type: "string", const: ASK_WHOLE }] },
    heard: BINARY,
  },
};

/** The sockets as an AsyncAPI document, which speaks for the server: it receives what clients send. */
export function asyncApi(basePath = ""): Schema {
  const sockets = Object.entries(SOCKETS);
  return {
    asyncapi: VERSION,
    info: { title: "Followspot", version: "1", description: INTRODUCTION },
    defaultContentType: "application/json",
    channels: Object.fromEntries(
      sockets.map(([name, { address, description, parameters }]) => [
        name,
        {
          address: basePath + address,
          description,
          ...(parameters && { parameters }),
          messages: Object.fromEntries(
            messagesOf(name).map((message) => [message, ref(`components/messages/${message}`)]),
          ),
        },
      ]),
    ),
    operations: Object.fromEntries(sockets.flatMap(([name]) => operationsOf(name))),
    components: {
      messages: Object.fromEntries(
        sockets.flatMap(([name, { sent, heard }]) => {
          const [fromClient, fromServer] = messagesOf(name);
          return [
            [fromClient, { payload: sent }],
            [fromServer, { payload: heard }],
          ];
        }),
      ),
    },
  };
}

const INTRODUCTION = [
  "Pages that Followspot serves are known by their session, scripts by the header `Authorization: Bearer`.",
  "Everybody else, as a page of an origin that FOLLOWSPOT_ALLOWED_ORIGINS names, says who it is by its first message:",
  'ClientHello with the token on /ws/events, {"type": "hello", "token": "…"} below /lights/.',
  `A socket that has not within ${HELLO_SECONDS} seconds is closed with ${CLOSE.helloTimeout}, one whose token is not good with ${CLOSE.unauthenticated}, one whose person may not with ${CLOSE.forbidden}.`,
].join(" ");

const messagesOf = (name: string) => [`${name}FromClient`, `${name}FromServer`] as const;

function operationsOf(name: string): readonly (readonly [string, Schema])[] {
  const [fromClient, fromServer] = messagesOf(name);
  const of = (action: "receive" | "send", message: string) => ({
    action,
    channel: ref(`channels/${name}`),
    messages: [ref(`channels/${name}/messages/${message}`)],
  });
  return [
    [`${name}Receive`, of("receive", fromClient)],
    [`${name}Send`, of("send", fromServer)],
  ];
}

/** AsyncAPI reads JSON Schema of draft 7. */
function schemaOf(type: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: "draft-7", io: "input" });
  return schema;
}
