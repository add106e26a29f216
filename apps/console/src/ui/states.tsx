import type { ReactNode } from "react";
import { errorText, isDenied } from "../lib/errors.ts";

import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";

/** Placeholder while rows are loading; the skeleton appears only after 200 ms. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className="flex animate-appear flex-col gap-3 p-4">
      <p role="status" className="text-xs text-muted">
        {strings.loading}
      </p>
      <div aria-hidden className="flex flex-col gap-3">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className="flex items-center gap-3">
            <Skeleton className="size-9 rounded-md" />
            <Skeleton className="h-3 flex-1" />
            <Skeleton className="h-3 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * Placeholder over a part that is hidden for at most 2.5 s while it loads. It takes no space and disappears with that
 * state.
 */
export const LoadingMeanwhile = () => (
  <div className="animate-meanwhile absolute inset-x-0 top-0">
    <Loading />
  </div>
);

export function Skeleton({ className = "" }: { readonly className?: string }) {
  return <div aria-hidden className={`animate-pulse rounded bg-border/60 ${className}`} />;
}

/** Message for an empty list, with the next step to take. */
export function EmptyState({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center text-muted">
      <p role="status">{text}</p>
      {children}
    </div>
  );
}

/**
 * Error message. `prefix` is the screen's own text, as in "Error loading songs"; code and message follow. A user
 * without permission sees only the denial, because nothing is known about the content.
 */
export function ErrorState({
  prefix,
  error,
  onRetry,
}: {
  readonly prefix: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p role="alert" className="wrap-anywhere text-danger">
        {prefix}: {errorText(error)}
      </p>
      {isDenied(error) ? (
        <p className="text-muted">{strings.notAllowed}</p>
      ) : (
        <Button onClick={onRetry}>{strings.retry}</Button>
      )}
    </div>
  );
}

/** Message for a search or filter that matches no rows. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState text={strings.noMatch}>
      <Button onClick={onClear}>{strings.clearFilters}</Button>
    </EmptyState>
  );
}
