import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { sessionKey, useSessionQuery } from "../auth/session.ts";
import { serverPath } from "../lib/base-path.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { queryClient, sessionExpired } from "../lib/query-client.ts";
import { Toasts } from "../ui/toast.tsx";
import { PartBoundary } from "./part-boundary.tsx";
import { router } from "./router.tsx";

const ClaimOwnerPage = lazyPart(() => import("../auth/claim-owner-page.tsx"), "ClaimOwnerPage");

const SignInLinkPage = lazyPart(() => import("../auth/sign-in-link-page.tsx"), "SignInLinkPage");

/** Pages for links that sign in, by the name of the token in the address: from the first start, or created later. */
const DOORS = { owner: ClaimOwnerPage, sign_in: SignInLinkPage } as const;
type Door = keyof typeof DOORS;

const search = new URLSearchParams(window.location.search);
const door = (Object.keys(DOORS) as Door[]).find((name) => search.has(name));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      {door ? <DoorLink door={door} token={search.get(door) ?? ""} /> : <RouterProvider router={router} />}
      <Toasts />
    </QueryClientProvider>
  );
}

/** Opens the page of such a link. A signed-in user skips the owner link; a sign-in link may switch to another user. */
function DoorLink({ door: name, token }: { readonly door: Door; readonly token: string }) {
  const Page = DOORS[name];
  const session = useSessionQuery();
  const [isDone, setDone] = useState(false);
  const isOver = isDone || (session.data !== undefined && name !== "sign_in");
  useEffect(() => {
    if (isOver) forgetSecret(name);
  }, [isOver, name]);

  if (isOver) return <RouterProvider router={router} />;
  if (session.isPending) return null;
  const enter = () => {
    // A reload removes the data of the previous user from memory.
    if (session.data) return window.location.assign(serverPath("/admin"));
    setDone(true);
    sessionExpired.set(false);
    void queryClient.resetQueries({ queryKey: sessionKey });
  };
  return (
    <PartBoundary>
      <Suspense>
        <Page token={token} signedInAs={session.data?.name} onDone={enter} onStay={() => setDone(true)} />
      </Suspense>
    </PartBoundary>
  );
}

function forgetSecret(name: Door): void {
  const url = new URL(window.location.href);
  url.searchParams.delete(name);
  window.history.replaceState(null, "", url);
  // The router read the address when it was created.
  void router.navigate({
    to: ".",
    replace: true,
    search: ((old: Record<string, unknown>) => ({ ...old, [name]: undefined })) as never,
  });
}
