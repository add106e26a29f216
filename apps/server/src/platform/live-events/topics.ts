import { parseTopic } from "@followspot/contract";
import type { Caller } from "../caller.ts";

/**
 * Whether a caller is a member of one thing, such as a chat thread. The feature that owns the members implements it.
 */
export type Membership = (caller: Caller, id: string) => boolean | Promise<boolean>;

/** Membership checks by kind of topic. Kinds without a check are closed to everyone. */
export type Memberships = Readonly<Record<string, Membership>>;

/** A user's own topic is open to the user and to Admins. */
export const OWN: Memberships = { user: (caller, id) => caller.userId === id || caller.roles.includes("Admin") };

/** Whether a caller may subscribe to a topic; false for any text that names none. */
export async function mayListen(caller: Caller, text: string, memberships: Memberships): Promise<boolean> {
  const topic = parseTopic(text);
  if (!topic) return false;
  const { listeners } = topic;
  const isAdmin = caller.roles.includes("Admin");
  if (listeners === "everyone") return true;
  if (listeners === "admins") return isAdmin;
  if (listeners !== "members") return isAdmin || listeners.some((role) => caller.roles.includes(role));
  // Admins may not subscribe to private conversations either.
  const belongs = Object.hasOwn(memberships, topic.kind) ? memberships[topic.kind] : undefined;
  return belongs !== undefined && topic.id !== undefined && belongs(caller, topic.id);
}
