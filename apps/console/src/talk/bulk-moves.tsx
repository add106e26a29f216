import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Talk } from "@followspot/contract/talk";
import { fieldsIn } from "../ui/edit-dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { FormDialog, useDialogForm } from "../ui/form-dialog.tsx";
import type { AnyBulkAction, BulkSteps } from "../ui/selection-bar.tsx";
import type { useMoveTalk } from "./talk.queries.ts";
import { talkStrings } from "./talk.strings.ts";

const text = talkStrings.shift;

/** A day. */
const MOST_MINUTES = 24 * 60;

/** What is done to the starts of all chosen talks; those without one are left alone. */
export function bulkMoves(move: ReturnType<typeof useMoveTalk>): readonly AnyBulkAction<Talk>[] {
  const isFor = ({ startAt }: Talk) => startAt !== undefined;
  const undo = (talk: Talk) => move(talk, talk.startAt);
  return [
    {
      label: text.label,
      isFor,
      ask: ({ onAnswer, onClose }) => (
        <ShiftDialog
          onShift={(minutes) =>
            onAnswer({
              act: (talk) => move(talk, talk.startAt && timestampFromMs(timestampMs(talk.startAt) + minutes * 60_000)),
              done: (talks) => text.done(talks, minutes),
              undo,
            } satisfies BulkSteps<Talk>)
          }
          onClose={onClose}
        />
      ),
    },
    {
      label: talkStrings.clearTimes.label,
      isFor,
      act: (talk) => move(talk, undefined),
      done: talkStrings.clearTimes.done,
      undo,
    },
  ];
}

function ShiftDialog({
  onShift,
  onClose,
}: {
  /** @param minutes later, or earlier below 0 */
  readonly onShift: (minutes: number) => void;
  readonly onClose: () => void;
}) {
  const form = useDialogForm({ minutes: "" });
  const field = fieldsIn(form, { minutes: { label: text.minutes, hint: text.hint, rule: minutesRule } });
  return (
    <FormDialog
      title={text.title}
      submitLabel={text.submit}
      pending={false}
      onSubmit={() => form.handleSubmit(({ minutes }) => onShift(Number(minutes)))()}
      onClose={onClose}
    >
      <TextField autoFocus {...field("minutes")} />
    </FormDialog>
  );
}

function minutesRule(typed: string): true | string {
  const minutes = Math.abs(Number(typed));
  const isFine = typed.trim() !== "" && Number.isInteger(minutes) && minutes > 0 && minutes <= MOST_MINUTES;
  return isFine || text.wrong(MOST_MINUTES);
}
