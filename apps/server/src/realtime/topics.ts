import type { Caller, Role } from "../platform/caller.ts";

/** Fixed topics and who may listen besides an Admin; undefined means anybody signed in. */
const FIXED: ReadonlyMap<string, readonly Role[] | undefined> = new Map([
  ["songs", undefined],
  ["events", undefined],
  ["lights", ["Director", "AI"]],
  ["stage", ["Director"]],
  ["workers", ["Director"]],
  ["director", ["Director"]],
]);

/** One of ours by its id: an id holds neither a dot nor a wildcard. */
const ONE = /^(user|song|event)\.([A-Za-z0-9_-]{1,100})$/;

/** Whether a caller may listen to a topic; no for every text that is not the name of one. */
export function mayListen(caller: Caller, topic: string): boolean {
  const isAdmin = caller.roles.includes("Admin");
  if (FIXED.has(topic)) {
    const roles = FIXED.get(topic);
    return isAdmin || roles === undefined || roles.some((role) => caller.roles.includes(role));
  }
  const [, kind, id] = ONE.exec(topic) ?? [];
  if (kind === undefined) return false;
  return kind !== "user" || isAdmin || id === caller.userId;
}
