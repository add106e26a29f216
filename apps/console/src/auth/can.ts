import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { Access, access } from "@followspot/contract/access";
import { useCallback } from "react";
import { useSession } from "./session.ts";

/** Roles that may perform actions without an RPC, whose proto would otherwise state them. */
const PLAIN = {
  /** Queues, their failures, the workers. */
  seeQueues: [Access.ADMIN],
  uploadSongs: [Access.ADMIN],
  playOnStage: [Access.ADMIN, Access.DIRECTOR],
  /** DMX values sent to the fixtures. */
  seeLamps: [Access.ADMIN, Access.DIRECTOR, Access.AI],
} as const;

/** A method of the contract, or the name of an action without an RPC. */
export type Action = DescMethod | keyof typeof PLAIN;

/**
 * Whether these roles may perform an action, by the access option of the method, which the server uses as well. It
 * decides only what the console offers; the server checks every call again.
 */
export function may(roles: readonly string[], action: Action): boolean {
  const allowed = typeof action === "string" ? PLAIN[action] : accessOf(action);
  return allowed.some((who) => who !== Access.UNSPECIFIED && belongsTo(roles, who));
}

/** Returns a function that checks actions for the signed-in user, such as `can(UserService.method.createUser)`. */
export function useCan(): (action: Action) => boolean {
  const { roles } = useSession();
  return useCallback((action) => may(roles, action), [roles]);
}

/** Cached, because reading an option walks the method's unknown fields and a list checks each of its rows. */
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
