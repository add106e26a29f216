/**
 * Some hundred clients in a process of their own, who use the contract's own client through the proxy: guests who listen and
 * talk, doors that let people in at the boxes, people who give gold or bring songs. A call that is refused is tried again, with
 * the same id, until it is answered with yes.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AccountingService } from "@followspot/contract/accounting";
import { ChatService } from "@followspot/contract/chat";
import { connect, type Followspot, type Listening } from "@followspot/contract/client";
import { EventService } from "@followspot/contract/event";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import type { Ask, Door, Heard, Ledger } from "./asks.ts";

/** A try without an answer counts as refused after this. */
const TRY_MS = 5000;
const AGAIN_MS = 300;
const GIVE_UP_MS = 60_000;
/** Everybody of a kind together does something so often. */
const EVERY_MS = { talk: 500, door: 1000, gold: 1500, song: 15_000 };
const SONG_SECONDS = 8;
/** A guest whose connection was cut silently notices within 33.5 s, and is back within 30 s more. */
const HEAR_MS = 70_000;

class Guest {
  readonly app: Followspot;
  readonly heard: string[] = [];
  outOfOrder = 0;
  resets = 0;
  readonly #listening: Listening;
  #sequence = 0;

  constructor(baseUrl: string, token: string, threadId: string, onLive: () => void) {
    this.app = connect({ baseUrl, token, timeoutMs: TRY_MS });
    this.#listening = this.app.listen([`chat.thread.${threadId}`], {
      onEnvelope: ({ type, payload, sequence = 0 }) => {
        if (type !== "message.created") return;
        if (sequence <= this.#sequence) this.outOfOrder++;
        this.#sequence = sequence;
        this.heard.push((payload as { readonly message: { readonly id: string } }).message.id);
      },
      onReset: () => this.resets++,
      onState: (state) => state === "live" && onLive(),
    });
  }

  leave(): void {
    this.#listening.close();
  }
}

const guests: Guest[] = [];
const doors = new Map<string, Door & { app: Followspot; next: number }>();
let joined: Extract<Ask, { do: "join" }> | undefined;
let acting: Promise<unknown> = Promise.resolve();
let isActing = false;
let ledger = emptyLedger();

function emptyLedger() {
  return {
    messages: [] as string[],
    gold: [] as string[],
    songs: [] as string[],
    checkIns: {} as Record<string, string[]>,
    refused: 0,
    longestMs: { office: 0, doors: 0 },
    givenUp: [] as string[],
  };
}

process.on("message", (ask: Ask) => void answer(ask).then((body) => process.send?.(body)));
process.on("disconnect", () => process.exit(0));

async function answer(ask: Ask): Promise<object> {
  switch (ask.do) {
    case "join":
      return join(ask);
    case "act":
      isActing = true;
      acting = act();
      return {};
    case "rest":
      return rest();
    case "hear":
      return hear(ask.messageIds);
    case "move": {
      const door = doors.get(ask.venue)!; // the venues are those of the door's
      doors.set(ask.venue, {
        ...door,
        ...ask,
        app: connect({ baseUrl: ask.url, token: ask.token, timeoutMs: TRY_MS }),
      });
      return {};
    }
    default:
      return ask satisfies never;
  }
}

async function join(ask: Extract<Ask, { do: "join" }>): Promise<object> {
  joined = ask;
  let listening = 0;
  for (const token of ask.guests) {
    guests.push(new Guest(ask.office, token, ask.threadId, () => listening++));
    if (guests.length % 20 === 0) await pause(200);
  }
  for (const door of ask.doors)
    doors.set(door.venue, {
      ...door,
      next: 0,
      app: connect({ baseUrl: door.url, token: door.token, timeoutMs: TRY_MS }),
    });
  for (const end = performance.now() + 60_000; listening < guests.length && performance.now() < end;) await pause(100);
  return { listening };
}

async function act(): Promise<void> {
  const { adminToken, richId, office, threadId } = joined!; // asked to join before
  const admin = connect({ baseUrl: office, token: adminToken, timeoutMs: TRY_MS });
  const over = <Item>(everyMs: number, deed: () => Promise<Item>) => paced(everyMs, deed);
  await Promise.all([
    over(EVERY_MS.talk, async () => {
      const guest = guests[Math.floor(Math.random() * guests.length)]!;
      const clientId = randomUUID();
      const said = await untilYes("office", `message ${clientId}`, async () => {
        const { message } = await guest.app.service(ChatService).sendMessage({ threadId, clientId, text: "This drop" });
        return message!.id; // a message that was sent is answered
      });
      if (said) ledger.messages.push(said);
    }),
    over(EVERY_MS.gold, async () => {
      const idempotencyKey = randomUUID();
      const given = await untilYes("office", `gold ${idempotencyKey}`, async () => {
        const request = { toUserId: richId, amount: 1n, idempotencyKey, reason: "A fine night" };
        const { transaction } = await admin.service(AccountingService).processTransaction(request);
        return transaction!.id; // likewise
      });
      if (given) ledger.gold.push(given);
    }),
    over(EVERY_MS.song, bringSong),
    ...[...doors.keys()].map((venue) => over(EVERY_MS.door, () => letIn(venue))),
  ]);
}

async function letIn(venue: string): Promise<void> {
  const { codes, next, eventId } = doors.get(venue)!;
  const [userId, code] = codes[next] ?? [];
  if (userId === undefined || code === undefined) return; // everybody is in
  doors.get(venue)!.next++;
  const isIn = await untilYes("doors", `check-in ${userId} at ${venue}`, async () => {
    const { success, alreadyCheckedIn } = await doors.get(venue)!.app.service(EventService).scanQr({ eventId, code });
    if (!success && !alreadyCheckedIn) throw new Error("not let in");
    return userId;
  });
  if (isIn) (ledger.checkIns[venue] ??= []).push(isIn);
}

let brought = 0;
async function bringSong(): Promise<void> {
  const { office, adminToken } = joined!; // asked to join before
  const name = `Crowd - Song ${++brought}.wav`;
  const bytes = new Uint8Array(synthesiseSong(SONG_SECONDS, 90 + (brought % 480) / 8));
  const id = await untilYes("office", name, async () => {
    const answer = await fetch(`${office}/api/songs/upload`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${adminToken}`,
        "content-type": "application/octet-stream",
        "x-file-name": encodeURIComponent(name),
      },
      body: bytes,
      signal: AbortSignal.timeout(4 * TRY_MS),
    });
    const { song, message } = (await answer.json()) as { song?: { id: string }; message?: string };
    if (!song) throw new Error(message);
    return song.id;
  });
  if (id) ledger.songs.push(id);
}

/** A deed begins every so often, beside those that are not done yet. */
async function paced(everyMs: number, deed: () => Promise<unknown>): Promise<void> {
  const open = new Set<Promise<unknown>>();
  while (isActing) {
    const one: Promise<unknown> = deed().finally(() => open.delete(one));
    open.add(one);
    await pause(everyMs * (0.5 + Math.random()));
  }
  await Promise.all(open);
}

async function untilYes(
  at: "office" | "doors",
  what: string,
  call: () => Promise<string>,
): Promise<string | undefined> {
  const from = performance.now();
  for (;;) {
    try {
      const id = await call();
      ledger.longestMs[at] = Math.max(ledger.longestMs[at], Math.round(performance.now() - from));
      return id;
    } catch (error) {
      ledger.refused++;
      if (performance.now() - from > GIVE_UP_MS) {
        ledger.givenUp.push(`${what}: ${(error as Error).message}`);
        return undefined;
      }
    }
    await pause(AGAIN_MS);
  }
}

async function rest(): Promise<Ledger> {
  isActing = false;
  await acting;
  const done = ledger;
  ledger = emptyLedger();
  return done;
}

async function hear(ids: readonly string[]): Promise<Heard> {
  const missing = ({ heard }: Guest) => {
    const known = new Set(heard);
    return ids.filter((id) => !known.has(id)).length;
  };
  for (const end = performance.now() + HEAR_MS; guests.some(missing) && performance.now() < end;) await pause(200);
  await pause(500); // what comes twice may come late
  const told = { lost: 0, doubled: 0, outOfOrder: 0, resets: 0 };
  for (const guest of guests) {
    told.lost += missing(guest);
    told.doubled += guest.heard.length - new Set(guest.heard).size;
    told.outOfOrder += guest.outOfOrder;
    told.resets += guest.resets;
    guest.heard.length = 0;
    guest.outOfOrder = guest.resets = 0;
  }
  return told;
}
