import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { Access, access } from "@followspot/contract/access";
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

const NOBODY: readonly string[] = [];

/**
 * Whether these roles may call a method, by the option its proto carries: the words the server decides by.
 * It decides what is offered, not what is allowed; the server says that again to every call.
 */
export const may = (roles: readonly string[], method: DescMethod): boolean =>
  getOption(method, access).some((who) => belongsTo(roles, who));

/** `can(UserService.method.createUser)`: whether to offer it to whoever is signed in. */
export function useCan(): (method: DescMethod) => boolean {
  const cache = useQueryClient();
  const roles = useSyncExternalStore(
    (listener) => cache.getQueryCache().subscribe(listener),
    () => cache.getQueryData<{ readonly roles: readonly string[] }>(["session"])?.roles ?? NOBODY,
  );
  return (method) => may(roles, method);
}

function belongsTo(roles: readonly string[], who: Access): boolean {
  if (who === Access.UNSPECIFIED) return false;
  if (roles.includes("Admin") || who === Access.PUBLIC || who === Access.MEMBER) return true;
  return (who === Access.DIRECTOR && roles.includes("Director")) || (who === Access.AI && roles.includes("AI"));
}

const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** The server knows who asks and refuses. */
export const isDenied = (error: unknown): boolean => hasCode(error, PERMISSION_DENIED);

export const isNotFound = (error: unknown): boolean => hasCode(error, NOT_FOUND);
