import { useTransport } from "@connectrpc/connect-query";
import type { Event } from "@followspot/contract/event";
import { useState, type ClipboardEvent } from "react";
import { useForm } from "react-hook-form";
import { dateTime, toDate } from "../lib/formatting.ts";
import { changedFields, mergeFields } from "../lib/list-merge.ts";
import { caller } from "../lib/list-source.ts";
import { ConflictNotice } from "../ui/conflict-notice.tsx";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { FileField, TextField } from "../ui/fields.tsx";
import { coordinate, endFor, EVENT_LIMITS, eventRules, fieldCoordinates, toFieldTime } from "./event-rules.ts";
import { EVENTS, useSaveEvent } from "./event.queries.ts";
import { eventStrings } from "./event.strings.ts";

const text = eventStrings.form;

type Fields = Record<"title" | "start" | "end" | "location" | "address" | "lat" | "lng", string>;

/** Creates an event, or edits `event`. */
export function EventDialog({ event, onClose }: { readonly event: Event | undefined; readonly onClose: () => void }) {
  const transport = useTransport();
  /** The event as read last: a save is refused when it has changed since. */
  const [base, setBase] = useState(event);
  const [endTyped, setEndTyped] = useState(event !== undefined);
  const save = useSaveEvent(base);
  const { register, handleSubmit, reset, getValues, setValue, formState } = useForm({
    defaultValues: { ...fieldsOf(event), banners: undefined as unknown as FileList },
  });
  const { errors, isDirty } = formState;
  const goOnFrom = (theirs: Event, fields: Fields) => {
    const { banners } = getValues();
    reset({ ...fieldsOf(theirs), banners });
    reset({ ...fields, banners }, { keepDefaultValues: true });
    setBase(theirs);
    save.reset();
  };
  const submit = handleSubmit(({ title, start, end, location, address, lat, lng, banners }) =>
    save.mutate(
      {
        title: title.trim(),
        start: new Date(start),
        end: new Date(end),
        location: location.trim(),
        address: address.trim(),
        lat: coordinate(lat),
        lng: coordinate(lng),
        banner: banners?.[0],
      },
      { onSuccess: onClose },
    ),
  );
  const moveEnd = () => {
    const { start, end } = getValues();
    const next = endFor(start, end, endTyped);
    if (next !== end) setValue("end", next, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  };
  const pastePair = (paste: ClipboardEvent) => {
    const pair = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(paste.clipboardData.getData("text"));
    if (!pair?.[1] || !pair[2]) return;
    paste.preventDefault();
    setValue("lat", pair[1], { shouldDirty: true });
    setValue("lng", pair[2], { shouldDirty: true });
  };
  const field = (name: Exclude<keyof Fields, "end">) => ({
    label: text[name],
    error: errors[name]?.message,
    ...(name in EVENT_LIMITS && { most: EVENT_LIMITS[name as keyof typeof EVENT_LIMITS] }),
    ...register(name, { validate: eventRules[name] }),
  });
  return (
    <Dialog open wide dirty={isDirty} title={event ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <ConflictNotice
            error={save.error}
            read={(signal) => EVENTS.one(caller(transport, signal), base?.id ?? "")}
            differences={(theirs) =>
              changedFields(fieldsOf(base), fieldsOf(theirs)).map((name) => ({
                label: text[name].replace(" *", ""),
                theirs: inWords(name, fieldsOf(theirs)[name]),
              }))
            }
            onTheirs={(theirs) => goOnFrom(theirs, fieldsOf(theirs))}
            onMine={(theirs) => {
              const { banners: _banners, ...mine } = getValues();
              goOnFrom(theirs, mergeFields(fieldsOf(base), mine, fieldsOf(theirs)));
            }}
          />
          <TextField autoFocus {...field("title")} />
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              type="datetime-local"
              step={1}
              label={text.start}
              error={errors.start?.message}
              {...register("start", { validate: eventRules.start, onChange: moveEnd })}
            />
            <TextField
              type="datetime-local"
              step={1}
              label={text.end}
              error={errors.end?.message}
              {...register("end", { validate: eventRules.end, onChange: () => setEndTyped(true) })}
            />
            <TextField {...field("location")} />
            <TextField {...field("address")} />
            <TextField inputMode="decimal" hint={text.coordinatesHint} onPaste={pastePair} {...field("lat")} />
            <TextField inputMode="decimal" onPaste={pastePair} {...field("lng")} />
          </div>
          <FileField label={text.banner} accept="image/*" {...register("banners")} />
        </DialogBody>
        <SaveActions label={event ? text.submitUpdate : text.submitCreate} pending={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function fieldsOf(event: Event | undefined): Fields {
  return {
    title: event?.title ?? "",
    start: toFieldTime(toDate(event?.startsAt)),
    end: toFieldTime(toDate(event?.endsAt)),
    location: event?.location ?? "",
    address: event?.address ?? "",
    ...fieldCoordinates(event ?? { lat: 0, lng: 0 }),
  };
}

const inWords = (name: keyof Fields, value: string): string =>
  (name === "start" || name === "end") && value !== "" ? dateTime(new Date(value)) : value;
