import { useMutation } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { newKey } from "../lib/new-key.ts";
import { tooLong } from "../lib/text-limits.ts";
import { TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { PeoplePicker, type PickedPerson } from "../ui/people-picker.tsx";
import { useChatCalls } from "./chat.queries.ts";
import { chatStrings } from "./chat.strings.ts";
import { MEMBERS } from "./find-people.ts";

const text = chatStrings.newThread;
export const MOST_TITLE = 200;

/** Dialog that creates a thread with the chosen members, and then opens it. */
export function NewThreadDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: (threadId: string) => void;
}) {
  const [title, setTitle] = useState("");
  const [people, setPeople] = useState<readonly PickedPerson[]>([]);
  const [isChecked, setChecked] = useState(false);
  /** Idempotency key: a repeated press creates the same thread. */
  const [clientId] = useState(newKey);
  const calls = useChatCalls();
  const create = useMutation({
    mutationFn: () => calls.create({ title, memberIds: people.map(({ id }) => id), clientId }),
    onSuccess: ({ thread }) => thread && onDone(thread.id),
  });
  const isTooLong = tooLong(title.length, MOST_TITLE) !== undefined;
  const problem = isChecked && people.length === 0 ? text.peopleRequired : undefined;
  return (
    <FormDialog
      title={text.title}
      dirty={title !== "" || people.length > 0}
      submitLabel={text.submit}
      pending={create.isPending}
      onSubmit={() => {
        setChecked(true);
        if (people.length > 0 && !isTooLong) create.mutate();
      }}
      onClose={onClose}
    >
      <FormError error={create.error} />
      <TextField
        autoFocus
        label={text.name}
        hint={text.nameHint}
        most={MOST_TITLE}
        value={title}
        onChange={(change) => setTitle(change.target.value)}
      />
      {people.length > 0 && (
        <ul aria-label={text.chosen} className="flex flex-wrap gap-1.5">
          {people.map((person) => (
            <li
              key={person.id}
              className="flex max-w-full items-center gap-1 rounded-full border bg-raised py-0.5 pr-1 pl-2.5"
            >
              <span className="truncate">{person.name}</span>
              <button
                type="button"
                aria-label={text.take(person.name)}
                className="rounded-full p-0.5 text-muted hover:text-fg"
                onClick={() => setPeople(people.filter(({ id }) => id !== person.id))}
              >
                <X aria-hidden size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <PeoplePicker
        source={MEMBERS}
        text={text}
        except={people.map(({ id }) => id)}
        error={problem}
        onChoose={(person) => setPeople([...people, person])}
      />
    </FormDialog>
  );
}
