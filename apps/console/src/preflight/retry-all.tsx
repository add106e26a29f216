import type { SongStep } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import type { SongRetry } from "@followspot/contract/night";
import { useCan } from "../auth/can.ts";
import { useRetrySong } from "../lib/retry-song.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { preflightStrings as text } from "./preflight.strings.ts";

/** The songs of a line, one after the other: a refusal of one leaves the others. */
export function RetryAll({
  retries,
  isPlain = false,
}: {
  readonly retries: readonly SongRetry[];
  /** Whether another button solves the problem as well. */
  readonly isPlain?: boolean;
}) {
  const can = useCan();
  const retry = useRetrySong();
  if (retries.length === 0 || !can(MusicService.method.retrySong)) return null;
  const all = async () => {
    let begun = 0;
    for (const { songId, step } of retries)
      await retry.mutateAsync({ songId, step: step as SongStep }).then(() => begun++, sayWhy); // the server's own word
    if (begun > 0) showToast(text.retried(begun));
  };
  return (
    <Button large variant={isPlain ? "secondary" : "primary"} pending={retry.isPending} onClick={() => void all()}>
      {text.retry(retries.length)}
    </Button>
  );
}
