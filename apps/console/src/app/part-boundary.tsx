import { CatchBoundary, useLocation, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { PartMissing } from "../lib/lazy-part.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";

/** Error boundary that limits a failure to one part; a new `resetKey` retries. */
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

/** A {@link PartBoundary} that resets when another screen is opened. */
export function ScreenBoundary({ children }: { readonly children: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <PartBoundary resetKey={path} fallback={ScreenError}>
      {children}
    </PartBoundary>
  );
}

/** Error page of one screen; other screens still work. */
export function ScreenError(failure: ErrorComponentProps) {
  return (
    <main>
      <h1 className="sr-only">{strings.screenFailed}</h1>
      <PartError {...failure} />
    </main>
  );
}

/** Makes the next render request a missing file again. */
export function forgetMissing(error: unknown): void {
  if (error instanceof PartMissing) error.forget();
}

function PartError({ error, reset }: ErrorComponentProps) {
  if (!(error instanceof PartMissing))
    return <ErrorState prefix={strings.screenFailed} error={error} onRetry={reset} />;
  if (!navigator.onLine) return <PartOffline onBack={reset} />;
  return <ErrorState prefix={strings.partMissing} error={error} onRetry={reset} />;
}

/** Retries the part as soon as the browser is online. */
function PartOffline({ onBack }: { readonly onBack: () => void }) {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    const listener = () => back();
    addEventListener("online", listener);
    return () => removeEventListener("online", listener);
  }, []);
  return (
    <EmptyState text={strings.partOffline}>
      <Button onClick={onBack}>{strings.retry}</Button>
    </EmptyState>
  );
}
