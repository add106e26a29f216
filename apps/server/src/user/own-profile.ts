import type { UpdateUserRequest } from "@followspot/contract/user";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database.ts";
import { denied, exhausted, waitText } from "../platform/errors.ts";
import { ownChangesOfHour } from "./users.store.ts";

/** Changes of oneself within an hour: each is written down and told to every open console. */
const MOST_CHANGES = 60;

const isAdmin = ({ roles }: Caller): boolean => roles.includes("Admin");

/**
 * Before anything is looked up: a member does not learn whether there is such a person.
 * @throws permission_denied for another person, unless an Admin asks
 */
export function requireSelf(caller: Caller, userId: string): void {
  if (userId !== caller.userId && !isAdmin(caller)) throw denied("You may only read and change yourself");
}

/** @throws permission_denied for what a person may not change of themselves: sign-in codes go to their addresses */
export function requireOwnFields(caller: Caller, request: UpdateUserRequest): void {
  if (isAdmin(caller)) return;
  if (request.email !== undefined || request.phone !== undefined) {
    throw denied("Your email and phone are where sign-in codes are sent. Ask an Admin to change them.");
  }
  if (request.setRoles || request.roles.length > 0) throw denied("Roles are given and taken by Admins");
}

/**
 * To be asked while the person's row is held, so that changes at once are counted; and before a picture is read, which costs
 * more than a change. @throws resource_exhausted
 */
export async function requireMayChange(db: Db, caller: Caller): Promise<void> {
  if (isAdmin(caller)) return;
  const { changes, seconds_left } = await ownChangesOfHour(db, caller.userId);
  if (changes < MOST_CHANGES) return;
  const wait = waitText(seconds_left);
  throw exhausted(`You changed yourself ${MOST_CHANGES} times within an hour. Try again in ${wait}.`, seconds_left);
}
