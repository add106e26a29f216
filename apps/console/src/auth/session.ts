import { useQuery } from "@tanstack/react-query";
import { createContext, use } from "react";
import { TIMED_OUT, unauthenticated, UNREACHABLE } from "../lib/errors.ts";
import { requestSession, sessionOfPage } from "./session-request.ts";

/** The signed-in user, as in the JSON response. */
export interface SessionUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly roles: readonly string[];
}

export const sessionKey = ["session"];

/** Queries the session. Screens use {@link useSession}, which has the result. */
export const useSessionQuery = () => useQuery({ queryKey: sessionKey, queryFn: fetchSession });

/** The signed-in user, provided by the session gate. */
export const CurrentUser = createContext<SessionUser | undefined>(undefined);

/** Returns the signed-in user; inside the session gate there always is one. */
export function useSession(): SessionUser {
  const user = use(CurrentUser);
  if (!user) throw new Error("useSession belongs inside SessionGate");
  return user;
}

let since: string | undefined;

/** Returns the ID of the last envelope before the first read; the events connection starts there. */
export const newsSince = (): string | undefined => since;

/** Discards the ID when the connection is closed, because later reads are newer. */
export const forgetNewsSince = (): void => void (since = undefined);

async function fetchSession({ signal }: { readonly signal: AbortSignal }): Promise<SessionUser> {
  const said = sessionOfPage();
  if (said) return toSessionUser(JSON.parse(said) as SessionAnswer);
  const response = await requestSession(signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    throw new Error(isLate ? `[deadline_exceeded] ${TIMED_OUT}` : `[unavailable] ${UNREACHABLE}`, { cause: error });
  });
  if (response.status === 401) throw unauthenticated();
  if (!response.ok) throw new Error(`[unavailable] The server answered ${response.status}`);
  return toSessionUser((await response.json()) as SessionAnswer);
}

interface SessionAnswer {
  readonly user?: Partial<SessionUser>;
  readonly newsSince?: string;
}

function toSessionUser(answer: SessionAnswer): SessionUser {
  since ??= answer.newsSince;
  return { id: "", name: "", email: "", phone: "", roles: [], ...answer.user };
}
