import type { Event } from "@followspot/contract/event";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { toFieldTime, typedMoment } from "../lib/field-time.ts";
import { fieldsIn } from "../ui/edit-dialog.tsx";
import { CheckboxField, TextField } from "../ui/fields.tsx";
import { FormDialog, useDialogForm } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { showToast } from "../ui/toast.tsx";
import { endFor, EVENT_LIMITS, eventRules, lengthOf, weekLater } from "./event-rules.ts";
import { useDuplicateEvent } from "./event.queries.ts";
import { eventStrings } from "./event.strings.ts";
import { ownTimes } from "./own-times.ts";

const text = eventStrings.duplicate;
const timeField = { type: "datetime-local" } as const;

/** Dialog that duplicates an event, by default to one week later. */
export function DuplicateDialog({ event, onClose }: { readonly event: Event; readonly onClose: () => void }) {
  const { timeZone } = event;
  const [{ title, start, end }] = useState(() => ({ title: event.title, ...weekLater(event) }));
  const form = useDialogForm({ title, start, end, talks: true, banner: true, registration: true });
  const duplicate = useDuplicateEvent(event);
  const typed = useWatch({ control: form.control, name: ["start", "end"] });
  const moments = typed.map((time) => typedMoment(time, timeZone));
  const [endTyped, setEndTyped] = useState(false);
  /** Moves the end with the start, so that the length stays the same until the user chooses an end. */
  const moveEnd = () => {
    const now = form.getValues();
    const begins = typedMoment(now.start, timeZone).getTime();
    const next = endTyped
      ? endFor(now.start, now.end, true, timeZone)
      : toFieldTime(new Date(begins + lengthOf(event)), timeZone) || now.end;
    form.setValue("end", next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  const field = fieldsIn<Fields, "title" | "start" | "end">(form, {
    title: { label: eventStrings.form.title, most: EVENT_LIMITS.title, rule: eventRules.title },
    start: { label: eventStrings.form.start, rule: eventRules.start, ...timeField, onChange: moveEnd },
    end: {
      label: eventStrings.form.end,
      rule: (typedEnd, values) => eventRules.end(typedEnd, { ...values, timeZone }),
      ...timeField,
      onChange: () => setEndTyped(true),
    },
  });
  return (
    <FormDialog
      wide
      title={text.title}
      dirty={form.formState.isDirty}
      submitLabel={text.submit}
      pendingLabel={text.pending}
      pending={duplicate.isPending}
      onSubmit={() =>
        form.handleSubmit((fields) =>
          duplicate.mutate(
            {
              ...fields,
              title: fields.title.trim(),
              start: typedMoment(fields.start, timeZone),
              end: typedMoment(fields.end, timeZone),
            },
            {
              onSuccess: ({ talks }) => {
                showToast(text.done(fields.title.trim(), talks));
                onClose();
              },
            },
          ),
        )()
      }
      onClose={onClose}
    >
      {duplicate.error && <FormError error={duplicate.error} />}
      <TextField autoFocus {...field("title")} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField {...field("start")} />
        <TextField {...field("end")} />
      </div>
      <p className="text-xs text-muted">{ownTimes(moments, timeZone) ?? text.hint}</p>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-xs font-medium">{text.what}</legend>
        <CheckboxField label={text.talks} {...form.register("talks")} />
        <CheckboxField label={text.banner} {...form.register("banner")} />
        <CheckboxField label={text.registration} {...form.register("registration")} />
      </fieldset>
      <p className="text-xs text-muted">{text.left}</p>
    </FormDialog>
  );
}

interface Fields {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly talks: boolean;
  readonly banner: boolean;
  readonly registration: boolean;
}
