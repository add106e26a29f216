import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  CreateUserRequestSchema,
  type ImportedUserSchema,
  type ImportUsersRequest,
  type UserToImport,
} from "@followspot/contract/user";
import type { Caller, Role } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { conflict, invalid, notFound } from "../../platform/errors.ts";
import { violationText } from "../../platform/http/rpc.ts";
import { addUser, refuseTakenEmail, userEntry, type NewUser } from "./add-user.ts";
import { plainPhone, type HomeCountry } from "./phone-numbers.ts";
import { loginTarget, requireEmail, requireName, requirePhone } from "./user-rules.ts";
import * as users from "./users.store.ts";
import type { UserChange, UserRow } from "./users.store.ts";

export type Imported = MessageInitShape<typeof ImportedUserSchema>;
interface Options extends Pick<ImportUsersRequest, "updateExisting" | "dryRun"> {
  readonly country?: HomeCountry;
}

/**
 * Creates or updates users row by row, each in its own transaction; a dry run only reads.
 *
 * @throws errors that affect every row, such as an unavailable database; earlier rows stay stored
 */
export async function importUsers(
  sql: Sql,
  caller: Caller,
  { rows, ...options }: Options & Pick<ImportUsersRequest, "rows">,
): Promise<Imported[]> {
  const earlier = new Set<string>();
  const results: Imported[] = [];
  const { country } = options;
  const targetOf = (address: string) => loginTarget(address, country);
  for (const row of rows) {
    try {
      results.push(await importRow(row));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      results.push({ state: "refused", reason: error.rawMessage });
    }
  }
  return results;

  async function importRow(row: UserToImport): Promise<Imported> {
    const person = checked(row);
    const targets = [person.email, person.phone].filter(Boolean).map(targetOf);
    if (targets.some((target) => earlier.has(target))) return { state: "repeated" };
    for (const target of targets) earlier.add(target);

    const [found, another] = await findPeople(person);
    if (!found) return options.dryRun ? { state: "created" } : add(person);
    const matched = { userId: found.id, name: found.name, roles: [...found.roles] };
    if (!options.updateExisting) {
      if (found.deleted_at) throw conflict("A deleted person has this email or phone. Restore or purge them first.");
      return { state: "unchanged", ...matched };
    }
    if (another && (found.deleted_at || !another.deleted_at))
      throw conflict("Several people have this phone, and none of them this email.");
    return { state: options.dryRun ? stateOf(found, person, country) : await update(found.id, person), ...matched };
  }

  /** Returns the user with this email, otherwise all users with this phone; users who are not deleted come first. */
  async function findPeople({ email, phone }: NewUser): Promise<readonly UserRow[]> {
    const byEmail = email === "" ? [] : await users.findPeopleByTarget(sql, targetOf(email));
    if (byEmail.length > 0 || phone === "") return byEmail;
    return users.findPeopleByTarget(sql, targetOf(phone), country);
  }

  async function add(person: NewUser): Promise<Imported> {
    return { state: "created", userId: (await addUser(sql, caller, person)).id };
  }

  function update(id: string, person: NewUser): Promise<State> {
    const updateHeld = async (tx: Tx) => {
      const before = await users.lockUser(tx, id);
      if (!before) throw notFound("User", id);
      const state = stateOf(before, person, country);
      if (state === "unchanged") return done(state);
      const back = before.deleted_at ? await users.setDeleted(tx, id, false) : before;
      const restored = before.deleted_at ? [userEntry("restored", before, back)] : [];
      const fields = changesOf(back, person, country);
      if (Object.keys(fields).length === 0) return done(state, ...restored);
      const after = await users.updateUser(tx, id, fields);
      return done(state, ...restored, userEntry("updated", back, after));
    };
    return change(sql, caller, updateHeld).catch(refuseTakenEmail);
  }
}

type State = "updated" | "restored" | "unchanged";

function stateOf(before: UserRow, person: NewUser, country: HomeCountry): State {
  if (before.deleted_at) return "restored";
  return Object.keys(changesOf(before, person, country)).length > 0 ? "updated" : "unchanged";
}

const validator = createValidator();

/** Validates a row like a CreateUser request, but takes phone numbers as other programs write them. @throws invalid_argument */
function checked(row: UserToImport): NewUser {
  const { name, email, phone, username, purpose, bio, roles } = row;
  const result = validator.validate(
    CreateUserRequestSchema,
    create(CreateUserRequestSchema, { name, email, phone, username, purpose, bio, roles }),
  );
  if (result.kind === "error") throw result.error;
  if (result.kind === "invalid") throw invalid(violationText(result.violations));
  return {
    name: requireName(name).trim(),
    email: requireEmail(email),
    phone: requirePhone(plainPhone(phone)),
    username,
    purpose,
    bio,
    roles: roles as Role[], // checked by the contract
  };
}

/** Returns the fields that a row changes. An address that differs only in spelling is not changed. */
function changesOf(before: UserRow, person: NewUser, country: HomeCountry): UserChange {
  const { name, username = "", purpose = "", bio = "", email, phone } = person;
  const differs = (field: "name" | "username" | "purpose" | "bio", text: string) =>
    text !== "" && text !== before[field] && { [field]: text };
  const isOther = (address: string, own: string) =>
    address !== "" && (own === "" || loginTarget(address, country) !== loginTarget(own, country));
  return {
    ...differs("name", name),
    ...differs("username", username),
    ...differs("purpose", purpose),
    ...differs("bio", bio),
    ...(isOther(email, before.email) && { email }),
    ...(isOther(phone, before.phone) && { phone }),
  };
}

/** Error codes that concern one row only. */
const REFUSALS: readonly Code[] = [Code.InvalidArgument, Code.AlreadyExists, Code.FailedPrecondition, Code.NotFound];
const isRefusal = (error: unknown): error is ConnectError =>
  error instanceof ConnectError && REFUSALS.includes(error.code);
