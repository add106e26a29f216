import { createContext, lazy, Suspense, use, useEffect, type ReactNode } from "react";
import { isUnauthenticated } from "../lib/errors.ts";
import { queryClient, sessionExpired } from "../lib/query-client.ts";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { ErrorState } from "../ui/states.tsx";
import { useSession, type SessionUser } from "../auth/session.ts";

const SignInPage = lazy(() => import("../auth/sign-in-page.tsx").then((page) => ({ default: page.SignInPage })));
const SessionExpired = lazy(() =>
  import("../auth/session-expired.tsx").then((part) => ({ default: part.SessionExpired })),
);
const NoAccess = lazy(() => import("../auth/no-access.tsx").then((page) => ({ default: page.NoAccess })));

const CurrentUser = createContext<SessionUser | undefined>(undefined);

/** Who is signed in; inside the gate there is always somebody. */
export function useSessionUser(): SessionUser {
  const user = use(CurrentUser);
  if (!user) throw new Error("useSessionUser belongs inside SessionGate");
  return user;
}

/** Lets the signed-in through. A session that ends later puts a sign-in over the page, which stays as it is. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const expired = useStore(sessionExpired);
  const user = session.data;
  const mayEnter = user !== undefined && user.roles.length > 0;

  const follows = mayEnter && !expired;
  useEffect(() => {
    if (!follows) return undefined;
    const socket = import("../realtime/events-socket.ts").then(({ followServer }) => followServer(queryClient));
    return () => void socket.then((end) => end());
  }, [follows]);

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
        <Suspense>
          <SignInPage onDone={signedIn} />
        </Suspense>
      );
    return <ErrorState prefix={strings.signIn.failed} error={session.error} onRetry={() => void session.refetch()} />;
  }
  if (!mayEnter)
    return (
      <Suspense>
        <NoAccess name={user.name} />
      </Suspense>
    );
  return (
    <CurrentUser value={user}>
      {children}
      {expired && (
        <Suspense>
          <SessionExpired onDone={signedIn} />
        </Suspense>
      )}
    </CurrentUser>
  );
}
