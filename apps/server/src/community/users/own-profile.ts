import type { UpdateUserRequest } from "@followspot/contract/user";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { denied, overLimit, waitText } from "../../platform/errors.ts";
import { ownChangesOfHour } from "./users.store.ts";

/** Maximum number of profile changes per member and hour: each is audited and published to every open console. */
const MOST_CHANGES = 60;

const isAdmin = ({ roles }: Caller): boolean => roles.includes("Admin");

/**
 * Checks that a caller acts on their own account. Runs before any read, so that members cannot probe which users exist.
 *
 * @throws permission_denied for another user, unless the caller is an Admin
 */
export function requireSelf(caller: Caller, userId: string): void {
  if (userId !== caller.userId && !isAdmin(caller)) throw denied("You may only read and change yourself");
}

/**
 * Rejects fields that a member may not change. Addresses are among them because sign-in codes go there. @throws
 * permission_denied
 */
export function requireOwnFields(caller: Caller, request: UpdateUserRequest): void {
  if (isAdmin(caller)) return;
  if (request.email !== undefined || request.phone !== undefined) {
    throw denied("Your email and phone are where sign-in codes are sent. Ask an Admin to change them.");
  }
  if (request.setRoles || request.roles.length > 0) throw denied("Roles are given and taken by Admins");
}

/**
 * Enforces the hourly limit of profile changes. Call it with the user's row locked, so that simultaneous changes are
 * counted, and before an image is decoded, which costs more than a change.
 *
 * @throws resource_exhausted
 */
export async function requireMayChange(db: Db, caller: Caller): Promise<void> {
  if (isAdmin(caller)) return;
  const { changes, seconds_left } = await ownChangesOfHour(db, caller.userId);
  if (changes < MOST_CHANGES) return;
  const wait = waitText(seconds_left);
  throw overLimit(
    `You changed yourself ${MOST_CHANGES} times within an hour. Try again in ${wait}.`,
    MOST_CHANGES,
    seconds_left,
  );
}
