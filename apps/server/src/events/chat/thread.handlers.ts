import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ChatService, Thread } from "@followspot/contract/chat";
import { ListQuerySchema } from "@followspot/contract/list";
import { findEvent } from "../events.store.ts";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { conflict, denied, invalid, notFound, unauthenticated } from "../../platform/errors.ts";
import { readAll, readPage, type ListDefinition } from "../../platform/database/lists.ts";
import { shownThreadEntry, threadEntry } from "./chat-entries.ts";
import { toMember, toThread } from "./chat-message.ts";
import { MAX_EVENT_MEMBERS, MAX_MEMBERS, noThread, requireClientId, requireTitle } from "./chat-rules.ts";
import { enterThread, isModerator, lookIntoThread } from "./membership.ts";
import * as threads from "./threads.store.ts";
import { NAMED, type LockedThread, type ThreadRow } from "./threads.store.ts";

const PEOPLE = 20;
const LEAST_LETTERS = 2;

type Handlers = Pick<
  ServiceImpl<typeof ChatService>,
  | "listThreads"
  | "countUnread"
  | "listAllThreads"
  | "getThread"
  | "createThread"
  | "joinEventThread"
  | "updateThread"
  | "addMember"
  | "removeMember"
  | "findPeople"
>;

/** Handlers for threads and their members. Lock order: users by ID, thread. */
export function threadHandlers(sql: Sql): Handlers {
  return {
    listThreads: async (request, context) => {
      const { userId } = requireCaller(context);
      const list = threads.threadsOf(userId);
      if (!request.list) return { threads: await withLast(sql, await readAll<ThreadRow>(sql, list)) };
      const { rows, nextPageToken } = await readPage<ThreadRow>(sql, list, request.list);
      return { threads: await withLast(sql, rows), nextPageToken };
    },

    countUnread: async (_request, context) => ({
      threads: await threads.countUnread(sql, requireCaller(context).userId),
    }),

    listAllThreads: async (request, context) => {
      const list: ListDefinition = threads.allThreads(requireCaller(context).userId);
      const query = request.list ?? create(ListQuerySchema);
      const scope = threads.withMember(sql, request.userId);
      const { rows, nextPageToken } = await readPage<ThreadRow>(sql, list, query, scope);
      // Messages are read through ListMessages only, which is audited.
      return { threads: rows.map((row) => toThread(row, undefined)), nextPageToken };
    },

    getThread: async (request, context) => {
      const row = await lookIntoThread(sql, request.threadId, requireCaller(context));
      return { thread: (await withLast(sql, [row]))[0]! };
    },

    createThread: (request, context) => {
      const caller = requireCaller(context);
      const title = requireTitle(request.title);
      const client_id = requireClientId(request.clientId);
      const asked = [...new Set([caller.userId, ...request.memberIds])];
      return change(sql, caller, async (tx) => {
        const living = await threads.holdLiving(tx, asked);
        if (!living.has(caller.userId)) throw unauthenticated();
        const before = await threads.findCreated(tx, caller.userId, client_id);
        if (before) return done({ thread: await shown(tx, before, caller) });
        requireLiving(asked, living);
        const event_id = await requireEvent(tx, request.eventId);
        const id = await threads.insertThread(tx, { title, event_id, created_by: caller.userId, client_id });
        // A simultaneous repetition of the request was first.
        if (!id)
          return done({ thread: await shown(tx, (await threads.findCreated(tx, caller.userId, client_id))!, caller) });
        await threads.addMembers(tx, { id, last_number: 0 }, asked);
        return done({ thread: await shown(tx, id, caller) }, threadEntry(id, "created", asked));
      });
    },

    joinEventThread: async (request, context) => {
      const caller = requireCaller(context);
      const id = await change(sql, caller, async (tx) => {
        const living = await threads.holdLiving(tx, [caller.userId]);
        if (!living.has(caller.userId)) throw unauthenticated();
        const event = await findEvent(tx, request.eventId);
        if (!event || event.deleted_at) throw notFound("Event", request.eventId);
        const thread = await threads.eventThread(tx, event);
        // Without its lock: most callers are already members.
        if (await threads.isMember(tx, thread, caller.userId)) return done(thread);
        const [held, isMember] = await Promise.all([
          threads.lockThread(tx, thread),
          threads.isMember(tx, thread, caller.userId),
        ]);
        if (!held || isMember) return done(thread);
        return done(thread, await takeIn(tx, held, caller.userId, caller));
      });
      // Read without a lock: hundreds join at once, and messages wait for the same row.
      return { thread: await shown(sql, id, caller, NAMED) };
    },

    updateThread: (request, context) => {
      const caller = requireCaller(context);
      const title = requireTitle(request.title);
      return change(sql, caller, async (tx) => {
        const before = await enterThread(tx, request.threadId, caller);
        if (before.is_of_event && !isModerator(caller)) {
          throw denied("This is the thread of an event. Only an Admin can give it another title.");
        }
        if (before.title === title) return done({ thread: await shown(tx, before.id, caller) });
        await threads.renameThread(tx, before.id, title);
        const thread = await shown(tx, before.id, caller);
        return done({ thread }, shownThreadEntry(before.id, "updated", await threads.toldMembers(tx, before.id)));
      });
    },

    addMember: (request, context) => {
      const caller = requireCaller(context);
      return change(sql, caller, async (tx) => {
        const living = await threads.holdLiving(tx, [caller.userId, request.userId]);
        const thread = await enterThread(tx, request.threadId, caller);
        requireLiving([request.userId], living);
        if (await threads.isMember(tx, thread.id, request.userId)) {
          return done({ thread: await shown(tx, thread.id, caller) });
        }
        const entry = await takeIn(tx, thread, request.userId, caller);
        return done({ thread: await shown(tx, thread.id, caller) }, entry);
      });
    },

    removeMember: (request, context) => {
      const caller = requireCaller(context);
      const { userId } = request;
      return change(sql, caller, async (tx) => {
        const thread = await threads.lockThread(tx, request.threadId);
        const isInside = thread !== undefined && (await threads.isMember(tx, thread.id, caller.userId));
        if (!thread || !(isInside || isModerator(caller))) throw noThread();
        const isOwn = userId === caller.userId || (isInside && thread.created_by === caller.userId);
        if (!isOwn && !isModerator(caller)) {
          throw denied(
            "Only the one who began this thread, or an Admin, can remove others. You can leave it yourself.",
          );
        }
        if (!(await threads.isMember(tx, thread.id, userId))) throw notFound("Member", userId);
        const told = await threads.toldMembers(tx, thread.id);
        await threads.removeMember(tx, thread.id, userId);
        if (thread.is_of_event && !isOwn) await threads.setTakenOut(tx, thread.id, userId, true);
        const entry = shownThreadEntry(thread.id, "left", told.includes(userId) ? told : [...told, userId], {
          payload: { user_id: userId, ...(!isOwn && { by_moderator: true }) },
          before: { user_id: userId },
          isMembersOwn: isOwn,
        });
        return done({ thread: await shown(tx, thread.id, caller) }, entry);
      });
    },

    findPeople: async (request, context) => {
      const { userId } = requireCaller(context);
      if (request.query.trim().length < LEAST_LETTERS) {
        throw invalid(`query: give at least ${LEAST_LETTERS} letters of a name`);
      }
      const people = await threads.findPeople(sql, request.query, request.limit || PEOPLE, userId);
      return { people: people.map(toMember) };
    },
  };
}

/** Adds a user to a locked thread. @returns entry to publish */
async function takeIn(tx: Tx, thread: LockedThread, userId: string, caller: Caller): Promise<Entry> {
  const most = thread.is_of_event ? MAX_EVENT_MEMBERS : MAX_MEMBERS;
  const [count, isTakenOut] = await Promise.all([
    threads.countMembers(tx, thread.id),
    threads.isTakenOut(tx, thread.id, userId),
  ]);
  if (count >= most) throw conflict(full(thread));
  if (isTakenOut) {
    if (!isModerator(caller)) throw denied("An Admin has taken this person out of the thread. Ask an Admin.");
    await threads.setTakenOut(tx, thread.id, userId, false);
  }
  await threads.addMembers(tx, thread, [userId]);
  const payload = { user_id: userId };
  // Readers of an event's thread are not notified of each of hundreds of new members.
  if (thread.is_of_event) return threadEntry(thread.id, "joined", [userId], { payload });
  return shownThreadEntry(thread.id, "joined", await threads.toldMembers(tx, thread.id), { payload });
}

const full = ({ is_of_event }: LockedThread) =>
  is_of_event
    ? `The thread of this event has ${MAX_EVENT_MEMBERS} members, the most there can be. Try again when someone has left it.`
    : `This thread has ${MAX_MEMBERS} members, the most there can be. Begin another one.`;

async function withLast(db: Db, rows: readonly ThreadRow[]): Promise<Thread[]> {
  const last = await threads.lastMessages(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toThread(row, last.get(row.id)));
}

/** Returns a thread for the response to a change, also if the caller has just left it. */
async function shown(db: Db, id: string, { userId }: Caller, named?: number): Promise<Thread> {
  const row = await threads.findThread(db, id, userId, named);
  if (!row) throw noThread();
  return (await withLast(db, [row]))[0]!;
}

function requireLiving(ids: readonly string[], living: ReadonlySet<string>): void {
  const missing = ids.find((id) => !living.has(id));
  if (missing !== undefined) throw notFound("User", missing);
}

/** Returns the event of a thread; null for an empty ID. */
async function requireEvent(tx: Tx, id: string): Promise<string | null> {
  if (id === "") return null;
  const event = await findEvent(tx, id);
  if (!event || event.deleted_at) throw notFound("Event", id);
  return id;
}
