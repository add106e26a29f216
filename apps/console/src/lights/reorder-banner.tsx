import type { ReactNode } from "react";
import { errorSentence } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Progress } from "../ui/progress.tsx";
import type { useReorderLights } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";

/** Banner about an order being saved, or a failed save with Retry. It overlays the rows to avoid a layout shift. */
export function ReorderBanner({ reorder }: { readonly reorder: ReturnType<typeof useReorderLights> }) {
  const { isPending, isError, error, variables, mutate, reset } = reorder;
  if (isPending)
    return (
      <Banner>
        <p role="status">{text.saving}</p>
        <Progress label={text.saving} />
      </Banner>
    );
  if (!isError) return null;
  return (
    <Banner>
      <p role="alert" className="wrap-anywhere text-danger">
        {text.reorderFailed(errorSentence(error))}
      </p>
      <div className="flex gap-2">
        <Button onClick={() => mutate(variables)}>{strings.retry}</Button>
        <Button variant="ghost" onClick={reset}>
          {strings.dismiss}
        </Button>
      </div>
    </Banner>
  );
}

const Banner = ({ children }: { readonly children: ReactNode }) => (
  <div className="pointer-events-none absolute inset-x-4 top-14 z-40 flex justify-center">
    <div className="pointer-events-auto flex min-w-64 flex-col gap-1.5 rounded-lg border border-accent bg-raised px-3 py-2 shadow-xl shadow-black/30">
      {children}
    </div>
  </div>
);
