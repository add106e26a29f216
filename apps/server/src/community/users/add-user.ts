import { toJson } from "@bufbuild/protobuf";
import { UserSchema } from "@followspot/contract/user";
import type { Caller, Role } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { alreadyExists } from "../../platform/errors.ts";
import { decodeImage, storeImage } from "../../platform/pictures/images.ts";
import { toUser } from "./user-message.ts";
import { requireEmail, requireName, requirePhone } from "./user-rules.ts";
import { insertUser, type UserRow } from "./users.store.ts";

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly roles: readonly Role[];
  readonly username?: string;
  readonly purpose?: string;
  readonly bio?: string;
  /** Empty without a photo. */
  readonly photoBase64?: string;
}

/**
 * Creates a user. @throws invalid_argument for an invalid name, address, number or photo; already_exists for a taken
 * address
 */
export async function addUser(sql: Sql, caller: Caller, { photoBase64, ...given }: NewUser): Promise<UserRow> {
  const fields = {
    ...given,
    name: requireName(given.name),
    email: requireEmail(given.email),
    phone: requirePhone(given.phone),
  };
  const photo = photoBase64 ? await decodeImage(photoBase64, "photoBase64") : undefined;
  const added = change(sql, caller, async (tx) => {
    const photo_id = photo && (await storeImage(tx, photo));
    const user = await insertUser(tx, { ...fields, ...(photo_id && { photo_id, photo_updated_at: new Date() }) });
    return done(user, userEntry("created", undefined, user));
  });
  return added.catch(refuseTakenEmail);
}

/** Entry for a changed user, for the audit log and live events. */
export function userEntry(verb: string, before: UserRow | undefined, after: UserRow): Entry {
  return { noun: "user", id: after.id, verb, before, after, payload: { user: toJson(UserSchema, toUser(after)) } };
}

/** Maps the violation of the unique index to already_exists: two requests may use one address at the same time. */
export function refuseTakenEmail(error: unknown): never {
  if ((error as { constraint_name?: string }).constraint_name === "users_email") {
    throw alreadyExists("Another person has this email address");
  }
  throw error;
}
