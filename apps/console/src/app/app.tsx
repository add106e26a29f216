import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { sessionKey, useSessionQuery } from "../auth/session.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { queryClient, sessionExpired } from "../lib/query-client.ts";
import { Toasts } from "../ui/toast.tsx";
import { PartBoundary } from "./part-boundary.tsx";
import { router } from "./router.tsx";

const ClaimOwnerPage = lazyPart(() => import("../auth/claim-owner-page.tsx"), "ClaimOwnerPage");

/** `?owner=TOKEN` on any address is the owner link of the first start. */
const ownerToken = new URLSearchParams(window.location.search).get("owner");

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      {ownerToken === null ? <RouterProvider router={router} /> : <OwnerLink token={ownerToken} />}
      <Toasts />
    </QueryClientProvider>
  );
}

/** Whoever is signed in already needs no owner link: it has done its work. */
function OwnerLink({ token }: { readonly token: string }) {
  const session = useSessionQuery();
  const [isDone, setDone] = useState(false);
  const isOver = isDone || session.data !== undefined;
  useEffect(() => {
    if (isOver) forgetOwnerToken();
  }, [isOver]);

  if (isOver) return <RouterProvider router={router} />;
  if (session.isPending) return null;
  const enter = () => {
    setDone(true);
    sessionExpired.set(false);
    void queryClient.resetQueries({ queryKey: sessionKey });
  };
  return (
    <PartBoundary>
      <Suspense>
        <ClaimOwnerPage token={token} onDone={enter} />
      </Suspense>
    </PartBoundary>
  );
}

function forgetOwnerToken(): void {
  const url = new URL(window.location.href);
  url.searchParams.delete("owner");
  window.history.replaceState(null, "", url);
  // The router read the address when it was made.
  void router.navigate({
    to: ".",
    replace: true,
    search: ((search: Record<string, unknown>) => ({ ...search, owner: undefined })) as never,
  });
}
