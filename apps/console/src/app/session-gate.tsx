import { Suspense, useEffect, type ReactNode } from "react";
import { authStrings } from "../auth/auth.strings.ts";
import { CurrentUser, useSessionQuery } from "../auth/session.ts";
import { isUnauthenticated } from "../lib/errors.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { queryClient, sessionExpired } from "../lib/query-client.ts";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { followServer } from "../realtime/events-socket.ts";
import { ErrorState } from "../ui/states.tsx";
import { PartBoundary } from "./part-boundary.tsx";

const SignInPage = lazyPart(() => import("../auth/sign-in-page.tsx"), "SignInPage");
const SessionExpired = lazyPart(() => import("../auth/session-expired.tsx"), "SessionExpired");
const NoAccess = lazyPart(() => import("../auth/no-access.tsx"), "NoAccess");

/**
 * Shows its children to signed-in users. If the session expires later, a sign-in dialog covers the page, which stays
 * mounted.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useSessionQuery();
  const expired = useStore(sessionExpired);
  const user = session.data;
  const mayEnter = user !== undefined && user.roles.length > 0;
  useServer(mayEnter && !expired, user?.roles.join() ?? "");

  const signedIn = () => {
    sessionExpired.set(false);
    void queryClient.invalidateQueries();
  };

  if (!user) {
    if (session.isPending)
      return (
        <p role="status" className="sr-only">
          {strings.loading}
        </p>
      );
    if (isUnauthenticated(session.error))
      return (
        <Part>
          <SignInPage onDone={signedIn} />
        </Part>
      );
    return (
      <ErrorState prefix={authStrings.signIn.failed} error={session.error} onRetry={() => void session.refetch()} />
    );
  }
  if (!mayEnter)
    return (
      <Part>
        <NoAccess name={user.name} />
      </Part>
    );
  return (
    <CurrentUser value={user}>
      {children}
      {expired && (
        <Part>
          <SessionExpired onDone={signedIn} />
        </Part>
      )}
    </CurrentUser>
  );
}

/** Keeps the screens up to date while a user is signed in. New roles permit other topics, so they open a new connection. */
function useServer(isFollowed: boolean, roles: string): void {
  useEffect(() => (isFollowed ? followServer(queryClient) : undefined), [isFollowed, roles]);
}

function Part({ children }: { readonly children: ReactNode }) {
  return (
    <PartBoundary>
      <Suspense>{children}</Suspense>
    </PartBoundary>
  );
}
