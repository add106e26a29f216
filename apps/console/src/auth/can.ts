import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { Access, access } from "@followspot/contract/access";
import { useCallback } from "react";
import { useSession } from "./session.ts";

/** What is asked for by a plain call, without a method whose proto would say who may. */
const PLAIN = {
  /** Queues, their failures, the workers. */
  seeQueues: [Access.ADMIN],
  uploadSongs: [Access.ADMIN],
  playOnStage: [Access.ADMIN, Access.DIRECTOR],
  /** What the lamps get. */
  seeLamps: [Access.ADMIN, Access.DIRECTOR, Access.AI],
} as const;

/** A method of the contract, or one of the few plain calls by name. */
export type Action = DescMethod | keyof typeof PLAIN;

/**
 * Whether these roles may do something, by the access option of the method: the same words the server decides by.
 * It decides what is offered, not what is allowed; the server says that again to every call.
 */
export function may(roles: readonly string[], action: Action): boolean {
  const allowed = typeof action === "string" ? PLAIN[action] : accessOf(action);
  return allowed.some((who) => who !== Access.UNSPECIFIED && belongsTo(roles, who));
}

/** `can(UserService.method.createUser)`: whether to offer it to the signed-in person. */
export function useCan(): (action: Action) => boolean {
  const { roles } = useSession();
  return useCallback((action) => may(roles, action), [roles]);
}

/** Reading an option walks the method's unknown fields; a list asks for each of its rows. */
function accessOf(method: DescMethod): readonly Access[] {
  let allowed = ACCESS.get(method);
  if (allowed === undefined) ACCESS.set(method, (allowed = getOption(method, access)));
  return allowed;
}

const ACCESS = new WeakMap<DescMethod, readonly Access[]>();

function belongsTo(roles: readonly string[], who: Access): boolean {
  if (roles.includes("Admin") || who === Access.PUBLIC || who === Access.MEMBER) return true;
  return (who === Access.DIRECTOR && roles.includes("Director")) || (who === Access.AI && roles.includes("AI"));
}
