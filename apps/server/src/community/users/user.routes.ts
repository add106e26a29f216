import type { ConnectRouter } from "@connectrpc/connect";
import { UserService, type UpdateUserRequest } from "@followspot/contract/user";
import { requireCaller, type Caller, type Role } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { conflict, invalid, notFound } from "../../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../../platform/pictures/images.ts";
import { mapInSlices } from "../../platform/http/in-slices.ts";
import { countRows, listQueryOf, readAll, readPage } from "../../platform/database/lists.ts";
import { requireUnchanged } from "../../platform/database/if-unchanged.ts";
import { addUser, refuseTakenEmail, userEntry } from "./add-user.ts";
import { importUsers, type Imported } from "./import-users.ts";
import { OwnData, type KeptPart } from "./own-data.ts";
import { requireMayChange, requireOwnFields, requireSelf } from "./own-profile.ts";
import { signUpMethods } from "./sign-up.routes.ts";
import { toUser } from "./user-message.ts";
import type { HomeCountry } from "./phone-numbers.ts";
import { requireEmail, requireName, requirePhone } from "./user-rules.ts";
import * as users from "./users.store.ts";
import type { UserChange, UserRow } from "./users.store.ts";

const DEFAULT_SIMILAR = 10;

export interface UserPorts {
  readonly sql: Sql;
  /** Signs the invitation link; at least 32 bytes. */
  readonly secret: Uint8Array;
  readonly signIns: SignIns;
  /** Whether mail or SMS is set up. */
  readonly canSend: () => boolean;
  /** Country of phone numbers without a country code. */
  readonly country?: HomeCountry;
  /** Removes codes and sign-in attempts of a user's addresses; called before the addresses are removed. */
  readonly forgetSignIn: Forget;
  /** Removes a user's data of other features; called before the user is purged. */
  readonly forget?: readonly Forget[];
  /** Personal data of all features, for exports. */
  readonly kept?: readonly KeptPart[];
  /** Passes on what a deleted user held, such as a spot at an event. */
  readonly leave?: readonly Forget[];
}

/** @returns entries to publish with the purge or deletion */
type Forget = (tx: Tx, userId: string) => Promise<readonly Entry[]>;

/** Effects of a user's change on their sessions. */
interface SignIns {
  readonly endAll: (tx: Tx, userId: string) => Promise<void>;
  /** Evicts cached callers of a user; called after the change is committed. */
  readonly forget: (whose: { readonly userId: string }) => void;
}

export function userRoutes({
  sql,
  secret,
  signIns,
  canSend,
  country,
  forgetSignIn,
  forget = [],
  leave = [],
  kept = [],
}: UserPorts): (router: ConnectRouter) => void {
  const ownData = new OwnData(sql, kept);
  /** @param remove deletes the locked user; throws if this user must not be deleted in this way */
  const deletePerson = async (caller: Caller, userId: string, remove: (tx: Tx, before: UserRow) => Promise<Entry>) => {
    const removeHeld = async (tx: Tx) => {
      const before = await lockUser(tx, userId);
      if (before.deleted_at) throw notFound("User", userId);
      if (before.roles.includes("Admin")) await requireOtherAdmin(tx, before);
      await signIns.endAll(tx, before.id);
      const deleted = await remove(tx, before);
      const told: Entry[] = [];
      for (const each of leave) told.push(...(await each(tx, before.id)));
      return done({ success: true }, deleted, ...told);
    };
    const answer = await change(sql, caller, removeHeld, ["roles"]);
    signIns.forget({ userId });
    return answer;
  };
  return (router) =>
    router.service(UserService, {
      ...signUpMethods({ sql, secret, canSend }),

      listUsers: async (request) => {
        const query = listQueryOf(request);
        const isHidden = !request.includeDeleted && !query?.filter;
        const kept = isHidden ? sql`deleted_at is null` : sql`true`;
        const scope = sql`${kept} and ${users.peopleOf(sql, request.role)}`;
        if (query) {
          const { rows, nextPageToken } = await readPage<UserRow>(sql, users.USER_LIST, query, scope);
          return { users: rows.map(toUser), nextPageToken };
        }
        const rows = await readAll<UserRow>(sql, users.USER_LIST, scope);
        return { users: await mapInSlices(rows, toUser), totalSize: rows.length };
      },

      countUsers: async ({ query, role }) => ({
        counts: await countRows(sql, users.USER_LIST, query, users.peopleOf(sql, role)),
      }),

      getUser: async (request, context) => {
        requireSelf(requireCaller(context), request.userId);
        const user = await users.findUser(sql, request.userId);
        if (!user) throw notFound("User", request.userId);
        return { user: toUser(user) };
      },

      createUser: async (request, context) => {
        const { name, email, phone, username, purpose, bio, photoBase64 } = request;
        const roles = request.roles as Role[]; // checked by the contract
        const fields = { name, email, phone, roles, username, purpose, bio, photoBase64 };
        return { user: toUser(await addUser(sql, requireCaller(context), fields)) };
      },

      importUsers: async (request, context) => {
        const results = await importUsers(sql, requireCaller(context), { ...request, country });
        const isChanged = ({ state }: Imported) => state === "updated" || state === "restored";
        for (const { userId } of results.filter(isChanged)) if (userId) signIns.forget({ userId });
        return { results };
      },

      updateUser: async (request, context) => {
        const caller = requireCaller(context);
        requireSelf(caller, request.userId);
        requireOwnFields(caller, request);
        const asked = changeOf(request);
        if (request.photoBase64) await requireMayChange(sql, caller);
        const photo = request.photoBase64 ? await decodeImage(request.photoBase64, "photoBase64") : undefined;
        const update = async (tx: Tx) => {
          const before = await lockUser(tx, request.userId);
          await requireUnchanged(tx, caller, { ...before, noun: "user", word: "person" }, request.ifUpdatedAt);
          await requireMayChange(tx, caller);
          const lost = asked.roles ? before.roles.filter((role) => !asked.roles?.includes(role)) : [];
          if (lost.includes("Admin")) await requireOtherAdmin(tx, before);
          const photo_id = photo && (await storeImage(tx, photo));
          const user = await users.updateUser(tx, before.id, { ...asked, ...(photo_id && { photo_id }) });
          if (photo_id) await removeImage(tx, before.photo_id);
          if (lost.length > 0) await signIns.endAll(tx, user.id);
          return done({ user: toUser(user) }, userEntry("updated", before, user));
        };
        const answer = change(sql, caller, update, asked.roles ? ["roles"] : []);
        return answer.catch(refuseTakenEmail).finally(() => signIns.forget({ userId: request.userId }));
      },

      deleteUser: async ({ userId }, context) =>
        deletePerson(requireCaller(context), userId, async (tx, before) =>
          userEntry("deleted", before, await users.setDeleted(tx, before.id, true)),
        ),

      deleteMyAccount: async ({ confirmName }, context) => {
        const caller = requireCaller(context);
        return deletePerson(caller, caller.userId, async (tx, before) => {
          const name = before.name.trim();
          if (confirmName.trim() !== name) throw invalid(`confirmName: type your name to go on: ${name}`);
          await forgetSignIn(tx, before.id);
          return userEntry("deleted", undefined, await users.eraseUser(tx, before));
        });
      },

      exportMyData: async (_request, context) => ({ json: await ownData.of(requireCaller(context).userId) }),

      restoreUser: (request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const before = await lockUser(tx, request.userId);
          if (!before.deleted_at) throw conflict("This person is not deleted");
          const user = await users.setDeleted(tx, before.id, false);
          return done({ user: toUser(user) }, userEntry("restored", before, user));
        }),

      purgeUser: async (request, context) => {
        const answer = await change(sql, requireCaller(context), async (tx) => {
          const before = await lockUser(tx, request.userId);
          if (!before.deleted_at) throw conflict("Delete this person first; only deleted people can be purged");
          await signIns.endAll(tx, before.id);
          const told: Entry[] = [];
          for (const each of [forgetSignIn, ...forget]) told.push(...(await each(tx, before.id)));
          await users.removeUser(tx, before);
          return done({ success: true }, { noun: "user", id: before.id, verb: "purged" }, ...told);
        });
        signIns.forget({ userId: request.userId });
        return answer;
      },

      uploadPhoto: async (request, context) => {
        const caller = requireCaller(context);
        requireSelf(caller, request.userId);
        await requireMayChange(sql, caller);
        const photo = await decodeImage(request.photoBase64, "photoBase64");
        return change(sql, caller, async (tx) => {
          const before = await lockUser(tx, request.userId);
          await requireMayChange(tx, caller);
          const photo_id = await storeImage(tx, photo);
          const user = await users.updateUser(tx, before.id, { photo_id });
          await removeImage(tx, before.photo_id);
          return done({ photoId: photo_id, photoUrl: imageUrl(photo_id) }, userEntry("updated", before, user));
        });
      },

      findSimilarUsers: async (request) => {
        const user = await users.findUser(sql, request.userId);
        if (!user) throw notFound("User", request.userId);
        const similar = await users.findSimilarUsers(sql, user, request.limit || DEFAULT_SIMILAR);
        return { users: similar.map((row) => ({ user: toUser(row), similarity: row.similarity })) };
      },
    });
}

function changeOf(request: UpdateUserRequest): UserChange {
  const roles = request.setRoles || request.roles.length > 0 ? (request.roles as Role[]) : undefined; // checked by the contract
  return {
    ...(request.name !== undefined && { name: requireName(request.name) }),
    ...(request.phone !== undefined && { phone: requirePhone(request.phone) }),
    ...(request.email !== undefined && { email: requireEmail(request.email) }),
    ...(request.username !== undefined && { username: request.username }),
    ...(request.purpose !== undefined && { purpose: request.purpose }),
    ...(request.bio !== undefined && { bio: request.bio }),
    ...(roles && { roles }),
  };
}

async function lockUser(tx: Tx, id: string): Promise<UserRow> {
  const user = await users.lockUser(tx, id);
  if (!user) throw notFound("User", id);
  return user;
}

async function requireOtherAdmin(tx: Tx, user: UserRow): Promise<void> {
  if (user.deleted_at === null && !(await users.hasOtherAdmin(tx, user.id))) {
    throw conflict("The last Admin cannot be deleted or lose the Admin role");
  }
}
