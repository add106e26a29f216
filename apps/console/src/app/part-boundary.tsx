import { CatchBoundary, useLocation, type ErrorComponentProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PartMissing } from "../lib/lazy-part.ts";
import { strings } from "../lib/strings.ts";
import { ErrorState } from "../ui/states.tsx";

/** Keeps the failure of one part to its place; a new `resetKey` tries again. */
export function PartBoundary({
  resetKey = "",
  fallback = PartError,
  children,
}: {
  readonly resetKey?: string;
  readonly fallback?: (failure: ErrorComponentProps) => ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <CatchBoundary getResetKey={() => resetKey} errorComponent={fallback} onCatch={forgetMissing}>
      {children}
    </CatchBoundary>
  );
}

/** As {@link PartBoundary}, forgotten as soon as somebody goes elsewhere. */
export function ScreenBoundary({ children }: { readonly children: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <PartBoundary resetKey={path} fallback={ScreenError}>
      {children}
    </PartBoundary>
  );
}

/** One screen failed; the others still work. */
export function ScreenError(failure: ErrorComponentProps) {
  return (
    <main>
      <h1 className="sr-only">{strings.screenFailed}</h1>
      <PartError {...failure} />
    </main>
  );
}

/** What did not come is asked for again the next time it is shown. */
export function forgetMissing(error: unknown): void {
  if (error instanceof PartMissing) error.forget();
}

function PartError({ error, reset }: ErrorComponentProps) {
  const prefix = error instanceof PartMissing ? strings.partMissing : strings.screenFailed;
  return <ErrorState prefix={prefix} error={error} onRetry={reset} />;
}
