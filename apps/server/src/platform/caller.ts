import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { unauthenticated } from "./errors.ts";

export type Role = "Admin" | "Director" | "AI";

/** The authenticated caller, identified by a token or session cookie. */
export interface Caller {
  readonly userId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly sessionId: string;
}

/** Set by the access interceptor before a method runs. */
export const callerKey = createContextKey<Caller | undefined>(undefined);

/** @throws unauthenticated without a sign-in, which only PUBLIC methods permit */
export function requireCaller(context: HandlerContext): Caller {
  const caller = context.values.get(callerKey);
  if (!caller) throw unauthenticated();
  return caller;
}
