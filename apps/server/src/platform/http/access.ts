import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { Access, access } from "@followspot/contract/access";
import type { Caller } from "../caller.ts";
import { denied, unauthenticated } from "../errors.ts";

const known = new WeakMap<DescMethod, readonly Access[]>();

/**
 * Returns the access levels that a method's proto grants. Empty, so that every call is denied, for a method without the
 * option.
 */
export function accessOf(method: DescMethod): readonly Access[] {
  const seen = known.get(method);
  if (seen) return seen;
  const allowed = getOption(method, access).filter((who) => who !== Access.UNSPECIFIED);
  known.set(method, allowed);
  return allowed;
}

export function isPublic(method: DescMethod): boolean {
  return accessOf(method).includes(Access.PUBLIC);
}

/** @throws unauthenticated or permission_denied unless the method's access includes the caller */
export function requireAccess(method: DescMethod, caller: Caller | undefined): void {
  const allowed = accessOf(method);
  if (allowed.includes(Access.PUBLIC)) return;
  if (!caller) throw unauthenticated();
  if (!allowed.some((who) => belongsTo(caller, who))) throw denied();
}

function belongsTo(caller: Caller, who: Access): boolean {
  if (caller.roles.includes("Admin")) return true;
  switch (who) {
    case Access.MEMBER:
      return true;
    case Access.DIRECTOR:
      return caller.roles.includes("Director");
    case Access.AI:
      return caller.roles.includes("AI");
    default:
      return false;
  }
}
