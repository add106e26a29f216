import { useMutation } from "@connectrpc/connect-query";
import { QueuesService } from "@followspot/contract/queues";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { queueActionsStrings as text } from "./queue-actions.strings.ts";
import { useRefresh } from "./workers.queries.ts";

/** Button that deletes all messages of a queue after the user types its name. */
export function PurgeControl({ queue, messages }: { readonly queue: string; readonly messages: number }) {
  const [isAsking, setAsking] = useState(false);
  const refresh = useRefresh();
  const purge = useMutation(QueuesService.method.purgeQueue, {
    onSuccess: ({ purged }) => {
      refresh();
      setAsking(false);
      showToast(text.purged(purged, queue));
    },
  });
  return (
    <>
      <Button
        variant="danger"
        aria-label={text.purgeOf(queue)}
        onClick={() => {
          purge.reset();
          setAsking(true);
        }}
      >
        <Trash2 aria-hidden size={14} /> {text.purge}
      </Button>
      {isAsking && (
        <ConfirmDialog
          open
          title={text.purgeTitle(queue)}
          message={text.purgeMessage(messages, text.purgeWhat[queue] ?? "")}
          typeToConfirm={queue}
          confirmLabel={text.purgeLabel}
          pending={purge.isPending}
          error={purge.error}
          onConfirm={() => purge.mutate({ queue, confirmName: queue })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
