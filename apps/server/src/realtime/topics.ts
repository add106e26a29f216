import { parseTopic } from "@followspot/contract";
import type { Caller } from "../platform/caller.ts";

/** Whether a caller belongs to one thing, such as a chat thread. The feature that knows its members answers. */
export type Membership = (caller: Caller, id: string) => boolean | Promise<boolean>;

/** By the kind of topic. A kind without an answer here is closed to all. */
export type Memberships = Readonly<Record<string, Membership>>;

/** A person's own topic is theirs, and the Admins'. */
export const OWN: Memberships = { user: (caller, id) => caller.userId === id || caller.roles.includes("Admin") };

/** Whether a caller may listen to a topic; no for every text that is not the name of one. */
export async function mayListen(caller: Caller, text: string, memberships: Memberships): Promise<boolean> {
  const topic = parseTopic(text);
  if (!topic) return false;
  const { listeners } = topic;
  const isAdmin = caller.roles.includes("Admin");
  if (listeners === "everyone") return true;
  if (listeners === "admins") return isAdmin;
  if (listeners !== "members") return isAdmin || listeners.some((role) => caller.roles.includes(role));
  // What people say among themselves is not for Admins either.
  const belongs = Object.hasOwn(memberships, topic.kind) ? memberships[topic.kind] : undefined;
  return belongs !== undefined && topic.id !== undefined && belongs(caller, topic.id);
}
