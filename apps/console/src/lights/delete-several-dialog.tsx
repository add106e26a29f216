import { useState } from "react";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { strings } from "../lib/strings.ts";
import { forecastDelete, refusedMoves } from "./address-moves.ts";
import { movesInWords } from "./address-notes.tsx";
import type { SeveralProps } from "./edit-several-dialog.tsx";
import { editSeveralStrings as text } from "./edit-several.strings.ts";
import { useSeveralCalls } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";
import { patchStrings } from "./patch.strings.ts";

/** Deletes the selected lights after confirmation. The toast offers an undo that restores them with their groups. */
export function DeleteSeveralDialog({ chosen, lights, groups, onDone, onClose }: SeveralProps) {
  const { remove, restore } = useSeveralCalls();
  const [moves, setMoves] = useState(() => forecastDelete(lights, chosen).moves);
  const names = chosen.map(({ label }) => label || lightStrings.noLabel);
  return (
    <ConfirmDialog
      open
      title={text.deleteTitle(chosen.length)}
      message={text.deleteQuestion(names) + (moves.length > 0 ? patchStrings.deleteMoves(movesInWords(moves)) : "")}
      confirmLabel={strings.delete}
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { lights: chosen, moves },
          {
            onSuccess: () => {
              showToast(text.deleted(chosen.length), { undo: () => void restore(chosen, groups).catch(sayWhy) });
              onDone();
              onClose();
            },
            onError: (error) => {
              const now = refusedMoves(error);
              if (now) setMoves(now);
              else sayWhy(error);
            },
          },
        )
      }
    />
  );
}
