import { useQuery } from "@tanstack/react-query";

/** Who is signed in, as the answer says it in JSON. */
export interface SessionUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly roles: readonly string[];
}

export const sessionKey = ["session"];

export const useSession = () => useQuery({ queryKey: sessionKey, queryFn: fetchSession });

/** Asked with a plain call: the door opens before the RPC library has arrived. */
async function fetchSession({ signal }: { readonly signal: AbortSignal }): Promise<SessionUser> {
  const response = await fetch("/followspot.auth.v1.AuthService/GetSession", {
    method: "POST",
    headers: { "content-type": "application/json", "connect-protocol-version": "1" },
    credentials: "same-origin",
    body: "{}",
    signal,
  });
  if (response.status === 401)
    throw Object.assign(new Error("[unauthenticated] Sign in first"), { code: UNAUTHENTICATED });
  if (!response.ok) throw new Error(`[unavailable] The server answered ${response.status}`);
  const { user } = (await response.json()) as { readonly user?: Partial<SessionUser> };
  return { id: "", name: "", email: "", phone: "", roles: [], ...user };
}

const UNAUTHENTICATED = 16;
