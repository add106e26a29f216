import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { queryClient } from "../lib/query-client.ts";
import { Toasts } from "../ui/toast.tsx";
import { router } from "./router.tsx";

const ClaimOwnerPage = lazy(() =>
  import("../auth/claim-owner-page.tsx").then((page) => ({ default: page.ClaimOwnerPage })),
);

/** `?owner=TOKEN` on any address is the owner link of the first start. */
const ownerToken = new URLSearchParams(window.location.search).get("owner");

export function App() {
  const [claiming, setClaiming] = useState(ownerToken !== null);
  return (
    <QueryClientProvider client={queryClient}>
      {claiming && ownerToken !== null ? (
        <Suspense>
          <ClaimOwnerPage
            token={ownerToken}
            onDone={() => {
              forgetOwnerToken();
              setClaiming(false);
            }}
          />
        </Suspense>
      ) : (
        <RouterProvider router={router} />
      )}
      <Toasts />
    </QueryClientProvider>
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
