/**
 * Follows one thread of the chat in a terminal, and sends what is typed into it:
 *
 *   FOLLOWSPOT_URL=http://localhost:3000 FOLLOWSPOT_TOKEN=... node scripts/run.mjs examples/follow-thread.ts [thread id]
 *
 * Without an id it takes the thread spoken in last. It runs on Node 24, which `scripts/run.mjs` brings, and needs nothing
 * of the server's code.
 */
import { createInterface } from "node:readline";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ChatService, MessageSchema, type Message } from "@followspot/contract/chat";
import { connect } from "@followspot/contract/client";

const { FOLLOWSPOT_URL: baseUrl = "http://localhost:3000", FOLLOWSPOT_TOKEN: token = "" } = process.env;
const AGAIN_MS = 1000;
const app = connect({ baseUrl, token });
const chat = app.service(ChatService);

const threadId = process.argv[2] ?? (await chat.listThreads({ list: { pageSize: 1 } })).threads[0]?.id;
if (!threadId) {
  console.error("You are in no thread yet. Ask a member to add you, or create one in the console.");
  process.exit(1);
}

/** Number of the last message shown. Numbers have no gaps: one that is not the next says that something was missed. */
let shown = 0;
const show = ({ number, userName, text, deletedAt }: Message) => {
  if (number <= shown) return;
  shown = number;
  console.log(`${userName || "Someone who left"}: ${deletedAt ? "(deleted)" : text}`);
};
/** A call may be lost with the connection: it is repeated until it is answered. */
const readAgain = async () => {
  try {
    const { messages } = await chat.listMessages({ threadId, pageSize: 50 });
    for (const message of messages.toReversed()) show(message);
  } catch (error) {
    console.error(`(${(error as Error).message})`);
    setTimeout(() => void readAgain(), AGAIN_MS);
  }
};
const hear = (message: Message) => (message.number > shown + 1 ? void readAgain() : show(message));

app.listen([`chat.thread.${threadId}`], {
  onEnvelope: ({ type, payload }) => {
    const { message } = payload as { readonly message?: JsonValue };
    if (type === "message.created" && message) hear(fromJson(MessageSchema, message, { ignoreUnknownFields: true }));
  },
  onReset: () => void readAgain(),
  onRefused: (_topic, why) => {
    console.error(why);
    process.exit(1);
  },
  onSignedOut: () => {
    console.error("The token is not valid any more. Make a new one.");
    process.exit(1);
  },
  onState: (state) => {
    console.error(`(${state})`);
    if (state === "live") void readAgain();
  },
});

for await (const line of createInterface(process.stdin)) {
  // The same id again would be the same message: without an answer, call again.
  if (line.trim()) await chat.sendMessage({ threadId, text: line, clientId: crypto.randomUUID() });
}
