import type { ConnectRouter } from "@connectrpc/connect";
import { UserService, type UpdateUserRequest } from "@followspot/contract/user";
import { endAllSessions } from "../auth/sessions.store.ts";
import { audit } from "../platform/audit.ts";
import { requireCaller, type Caller, type Role } from "../platform/caller.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { alreadyExists, conflict, notFound } from "../platform/errors.ts";
import { decodeImage, imageUrl, removeImage, storeImage } from "../platform/images.ts";
import { postEvent } from "../platform/outbox.ts";
import { cutPage, pageRequest } from "../platform/pages.ts";
import { toUser } from "./user-message.ts";
import { requireEmail, requireName, requirePhone } from "./user-rules.ts";
import * as users from "./users.store.ts";
import type { UserChange, UserRow } from "./users.store.ts";

const DEFAULT_SIMILAR = 10;

export interface UserPorts {
  readonly sql: Sql;
}

export function userRoutes({ sql }: UserPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(UserService, {
      listUsers: async (request) => {
        const page = pageRequest(request, 1);
        const found = await users.listUsers(sql, { ...page, includeDeleted: request.includeDeleted });
        const { rows, ...rest } = cutPage(found, page.size, (user) => [user.id]);
        return { users: rows.map(toUser), ...rest };
      },

      getUser: async (request) => {
        const user = await users.findUser(sql, request.userId);
        if (!user) throw notFound("User", request.userId);
        return { user: toUser(user) };
      },

      createUser: async (request, context) => {
        const caller = requireCaller(context);
        const change = {
          name: requireName(request.name),
          phone: requirePhone(request.phone),
        };
        const photo = request.photoBase64 ? await decodeImage(request.photoBase64, "photo_base64") : undefined;
        return sql.begin(async (tx) => {
          const photo_id = photo && (await storeImage(tx, photo));
          const user = await users.insertUser(tx, {
            ...change,
            ...(photo_id && { photo_id, photo_updated_at: new Date() }),
          });
          await announce(tx, caller, "created", undefined, user);
          return { user: toUser(user) };
        });
      },

      updateUser: async (request, context) => {
        const caller = requireCaller(context);
        const change = changeOf(request);
        const photo = request.photoBase64 ? await decodeImage(request.photoBase64, "photo_base64") : undefined;
        return sql
          .begin(async (tx) => {
            if (change.roles) await users.lockRoles(tx);
            const before = await lockUser(tx, request.userId);
            if (change.email && (await users.isEmailTaken(tx, change.email, before.id))) {
              throw alreadyExists("Another person has this email address");
            }
            const lost = change.roles ? before.roles.filter((role) => !change.roles?.includes(role)) : [];
            if (lost.includes("Admin")) await requireOtherAdmin(tx, before);
            const photo_id = photo && (await storeImage(tx, photo));
            const user = await users.updateUser(tx, before.id, { ...change, ...(photo_id && { photo_id }) });
            if (photo_id) await removeImage(tx, before.photo_id);
            if (lost.length > 0) await endAllSessions(tx, user.id);
            await announce(tx, caller, "updated", before, user);
            return { user: toUser(user) };
          })
          .catch(refuseTakenEmail);
      },

      deleteUser: async (request, context) => {
        const caller = requireCaller(context);
        await sql.begin(async (tx) => {
          await users.lockRoles(tx);
          const before = await lockUser(tx, request.userId);
          if (before.deleted_at) throw notFound("User", request.userId);
          if (before.roles.includes("Admin")) await requireOtherAdmin(tx, before);
          const user = await users.setDeleted(tx, before.id, true);
          await endAllSessions(tx, user.id);
          await announce(tx, caller, "deleted", before, user);
        });
        return { success: true };
      },

      restoreUser: async (request, context) => {
        const caller = requireCaller(context);
        return sql.begin(async (tx) => {
          const before = await lockUser(tx, request.userId);
          if (!before.deleted_at) throw conflict("This person is not deleted");
          const user = await users.setDeleted(tx, before.id, false);
          await announce(tx, caller, "restored", before, user);
          return { user: toUser(user) };
        });
      },

      purgeUser: async (request, context) => {
        const caller = requireCaller(context);
        await sql.begin(async (tx) => {
          const before = await lockUser(tx, request.userId);
          if (!before.deleted_at) throw conflict("Delete this person first; only deleted people can be purged");
          await endAllSessions(tx, before.id);
          await users.removeUser(tx, before);
          await announce(tx, caller, "purged", before, undefined);
        });
        return { success: true };
      },

      uploadPhoto: async (request, context) => {
        const caller = requireCaller(context);
        const photo = await decodeImage(request.photoBase64, "photo_base64");
        return sql.begin(async (tx) => {
          const before = await lockUser(tx, request.userId);
          const photo_id = await storeImage(tx, photo);
          const user = await users.updateUser(tx, before.id, { photo_id });
          await removeImage(tx, before.photo_id);
          await announce(tx, caller, "updated", before, user);
          return { photoId: photo_id, photoUrl: imageUrl(photo_id) };
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

async function announce(
  tx: Tx,
  caller: Caller,
  verb: string,
  before: UserRow | undefined,
  after: UserRow | undefined,
): Promise<void> {
  const id = (after ?? before)?.id ?? "";
  await audit(tx, caller, `user.${verb}`, `user ${id}`, { before, after });
  await postEvent(tx, `user.${id}`, `user.${verb}`, { user_id: id });
}

/** Two updates at once can both find the address free; the index lets one through. */
function refuseTakenEmail(error: unknown): never {
  if ((error as { constraint_name?: string }).constraint_name === "users_email") {
    throw alreadyExists("Another person has this email address");
  }
  throw error;
}
