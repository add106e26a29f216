import { callUnaryMethod, createConnectQueryKey, useMutation, useQuery, useTransport } from "@connectrpc/connect-query";
import { UserService, type User } from "@followspot/contract/user";
import { useMutation as usePlainMutation, useQueryClient } from "@tanstack/react-query";
import { fileBase64 } from "../lib/base64.ts";

const rpc = UserService.method;
const usersKey = createConnectQueryKey({ schema: rpc.listUsers, cardinality: "finite" });

export interface UserFields {
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly purpose: string;
  readonly bio: string;
  readonly roles: readonly string[];
  readonly photo: File | undefined;
}

export const useUsers = () => useQuery(rpc.listUsers, { includeDeleted: true });

export function useSaveUser(existing: User | undefined) {
  const transport = useTransport();
  const refresh = useRefreshUsers();
  return usePlainMutation({
    mutationFn: async ({ photo, ...fields }: UserFields): Promise<void> => {
      let userId = existing?.id;
      if (existing) {
        if (!userId) throw new Error("User ID is required for update");
        await callUnaryMethod(transport, rpc.updateUser, {
          userId,
          ...fields,
          roles: [...fields.roles],
          setRoles: true,
        });
      } else {
        userId = await create(fields);
      }
      if (photo) {
        const photoBase64 = await fileBase64(photo);
        await callUnaryMethod(transport, rpc.uploadPhoto, {
          userId,
          photoBase64,
          filename: photo.name,
          mimeType: photo.type,
        });
      }
    },
    onSettled: refresh,
  });

  /** A name and a phone make a user; the rest follows in an update. */
  async function create({ name, phone, ...rest }: Omit<UserFields, "photo">): Promise<string> {
    const { user } = await callUnaryMethod(transport, rpc.createUser, { name, phone });
    if (!user?.id) throw new Error("Failed to create user - no user ID returned");
    const { username, email, purpose, bio, roles } = rest;
    if (username || email || purpose || bio || roles.length > 0) {
      await callUnaryMethod(transport, rpc.updateUser, {
        userId: user.id,
        ...(username && { username }),
        ...(email && { email }),
        ...(purpose && { purpose }),
        ...(bio && { bio }),
        ...(roles.length > 0 && { roles: [...roles], setRoles: true }),
      });
    }
    return user.id;
  }
}

export const useDeleteUser = () => useMutation(rpc.deleteUser, { onSuccess: useRefreshUsers() });
export const useRestoreUser = () => useMutation(rpc.restoreUser, { onSuccess: useRefreshUsers() });
export const usePurgeUser = () => useMutation(rpc.purgeUser, { onSuccess: useRefreshUsers() });

function useRefreshUsers() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: usersKey });
}
