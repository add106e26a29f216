import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { UserService, type User } from "@followspot/contract/user";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { fileBase64 } from "../lib/base64.ts";
import { useChange } from "../lib/list-refresh.ts";
import { countsOf, pagesOf, type ReadableSource } from "../lib/list-source.ts";
import type { Role } from "./user-rules.ts";
import type { RoleFilter } from "./user-search.ts";

const rpc = UserService.method;

/** List source of users. @param role role filter; empty for all users */
export const usersOf = (role: RoleFilter | ""): ReadableSource<User> => ({
  name: "users",
  ...pagesOf(rpc.listUsers, ({ users }) => users, { includeDeleted: true, role }),
  id: ({ id }) => id,
  scope: role,
  count: countsOf(rpc.countUsers, { role }),
  one: async (call, userId) => (await call(rpc.getUser, { userId })).user,
});

export const USERS = usersOf("");

/** Query of a single user, refetched after each change as well. */
const ONE = { method: rpc.getUser };

export interface UserFields {
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly purpose: string;
  readonly bio: string;
  readonly roles: readonly Role[];
}

/** Creates a user atomically, or updates `existing`. The server rejects the update if the user changed since it was read. */
export function useSaveUser(existing: User | undefined) {
  const change = useChange(USERS, ONE);
  return useMutation({
    mutationFn: async ({ photo, roles, ...fields }: UserFields & { readonly photo: File | undefined }) => {
      const image = photo && {
        photoBase64: await fileBase64(photo),
        photoFilename: photo.name,
        photoMimeType: photo.type,
      };
      const all = { ...fields, roles: [...roles], ...image };
      if (!existing) {
        const { user } = await change(rpc.createUser, all);
        if (!user?.id) throw new Error("Failed to create user - no user ID returned");
        return;
      }
      if (!existing.id) throw new Error("User ID is required for update");
      await change(rpc.updateUser, {
        ...all,
        userId: existing.id,
        setRoles: true,
        ...(existing.updatedAt && { ifUpdatedAt: existing.updatedAt }),
      });
    },
  });
}

/** Changes roles of a user; deletes, restores and purges users. */
export function useUserCalls() {
  const change = useChange(USERS, ONE);
  return useMemo(
    () => ({
      /** @param asOf version the change is based on, rejected if outdated; undefined to overwrite */
      setRoles: ({ id }: User, roles: readonly string[], asOf: Timestamp | undefined) =>
        change(rpc.updateUser, { userId: id, roles: [...roles], setRoles: true, ...(asOf && { ifUpdatedAt: asOf }) }),
      remove: ({ id }: User) => change(rpc.deleteUser, { userId: id }),
      restore: ({ id }: User) => change(rpc.restoreUser, { userId: id }),
      purge: ({ id }: User) => change(rpc.purgeUser, { userId: id }),
    }),
    [change],
  );
}
