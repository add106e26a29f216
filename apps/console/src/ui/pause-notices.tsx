import { useMutation } from "@connectrpc/connect-query";
import { QueuesService } from "@followspot/contract/queues";
import { useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { errorSentence } from "../lib/errors.ts";
import { untilTime } from "../lib/formatting.ts";
import { useRefreshHealth, type QueuePause } from "../lib/server-health.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";

const text = strings.pauses;

interface NoticeProps {
  /** Whether the user may resume queues. */
  readonly mayResume: boolean;
}

/** Notices of paused queues with the end of the pause in local time, and how to resume; empty if none is paused. */
export function PauseNotices({ pauses, mayResume }: NoticeProps & { readonly pauses: readonly QueuePause[] }) {
  return pauses.map((pause) => <PauseNotice key={pause.queue} pause={pause} mayResume={mayResume} />);
}

function PauseNotice({ pause: { queue, until }, mayResume }: NoticeProps & { readonly pause: QueuePause }) {
  const cache = useQueryClient();
  const refreshHealth = useRefreshHealth();
  const resume = useMutation(QueuesService.method.resumeQueue, {
    onSettled: () => {
      refreshHealth();
      void cache.invalidateQueries({ queryKey: ["workers"] });
    },
  });
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warn bg-warn/10 px-3 py-1.5 text-sm"
    >
      <p className="min-w-0 flex-1 basis-56 wrap-anywhere">{text.isPaused(queue, untilTime(new Date(until)))}</p>
      {resume.isError && <p className="text-danger">{errorSentence(resume.error)}</p>}
      {mayResume && (
        <Button
          aria-label={text.resumeOf(queue)}
          aria-busy={resume.isPending}
          onClick={() => !resume.isPending && resume.mutate({ queue })}
        >
          <Play aria-hidden size={14} /> {text.resume}
        </Button>
      )}
    </div>
  );
}
