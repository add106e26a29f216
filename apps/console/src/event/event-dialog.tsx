import type { Event } from "@followspot/contract/event";
import { useState, type ClipboardEvent } from "react";
import { momentOf, toFieldTime } from "../lib/field-time.ts";
import { dateTime, toDate } from "../lib/formatting.ts";
import { EditDialog, fieldsIn, useEdit } from "../ui/edit-dialog.tsx";
import { FileField, SelectField, TextField } from "../ui/fields.tsx";
import { Options } from "../ui/options.tsx";
import { coordinate, endFor, EVENT_LIMITS, eventRules, fieldCoordinates } from "./event-rules.ts";
import { EVENTS, useSaveEvent } from "./event.queries.ts";
import { eventStrings } from "./event.strings.ts";

const text = eventStrings.form;

type Fields = Record<
  | "title"
  | "start"
  | "end"
  | "location"
  | "address"
  | "lat"
  | "lng"
  | "registration"
  | "places"
  | "doorsOpen"
  | "doorsClose",
  string
>;
const TIMES = new Set<keyof Fields>(["start", "end", "doorsOpen", "doorsClose"]);
const timeField = { type: "datetime-local", step: 1 } as const;

/** Creates an event, or edits `event`. */
export function EventDialog({ event, onClose }: { readonly event: Event | undefined; readonly onClose: () => void }) {
  const edit = useEdit(event, fieldsOf);
  const save = useSaveEvent(edit.base);
  const { getValues, setValue, formState } = edit.form;
  const [banner, setBanner] = useState<File>();
  const [endTyped, setEndTyped] = useState(event !== undefined);
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
  const field = fieldsIn(edit.form, {
    title: { label: text.title, most: EVENT_LIMITS.title, rule: eventRules.title },
    start: { label: text.start, rule: eventRules.start, ...timeField, onChange: moveEnd },
    end: { label: text.end, rule: eventRules.end, ...timeField, onChange: () => setEndTyped(true) },
    location: { label: text.location, most: EVENT_LIMITS.location, rule: eventRules.location },
    address: { label: text.address, most: EVENT_LIMITS.address, rule: eventRules.address },
    lat: { label: text.lat, hint: text.coordinatesHint, rule: eventRules.lat, inputMode: "decimal" },
    lng: { label: text.lng, rule: eventRules.lng, inputMode: "decimal" },
    places: { label: text.places, hint: text.placesHint, rule: eventRules.places, inputMode: "numeric" },
    doorsOpen: { label: text.doorsOpen, hint: text.doorsOpenHint, ...timeField },
    doorsClose: { label: text.doorsClose, hint: text.doorsCloseHint, rule: eventRules.doorsClose, ...timeField },
  });
  return (
    <EditDialog
      wide
      edit={edit}
      save={save}
      hasFile={banner !== undefined}
      title={event ? text.editTitle : text.createTitle}
      submitLabel={event ? text.submitUpdate : text.submitCreate}
      read={(call, { id }) => EVENTS.one(call, id)}
      labelOf={(name) => text[name].replace(" *", "")}
      inWords={inWords}
      onSubmit={({ start, end, lat, lng, places, doorsOpen, doorsClose, ...fields }) =>
        save.mutate(
          {
            ...fields,
            start: momentOf(start, toDate(edit.base?.startsAt)),
            end: momentOf(end, toDate(edit.base?.endsAt)),
            places: Number(places),
            doorsOpen: doorsOpen ? momentOf(doorsOpen, toDate(edit.base?.doorsOpenAt)) : undefined,
            doorsClose: doorsClose ? momentOf(doorsClose, toDate(edit.base?.doorsCloseAt)) : undefined,
            lat: coordinate(lat),
            lng: coordinate(lng),
            banner,
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TextField autoFocus {...field("title")} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField {...field("start")} />
        <TextField {...field("end")} />
        <TextField {...field("location")} />
        <TextField {...field("address")} />
        <TextField onPaste={pastePair} {...field("lat")} />
        <TextField onPaste={pastePair} {...field("lng")} />
      </div>
      <FileField label={text.banner} accept="image/*" onChange={({ target }) => setBanner(target.files?.[0])} />
      <div className="grid gap-3 border-t pt-3 sm:grid-cols-2">
        <SelectField {...edit.form.register("registration")} label={text.registration} hint={text.registrationHint}>
          <Options of={Object.entries(text.registrationModes)} />
        </SelectField>
        <TextField {...field("places")} />
        <TextField {...field("doorsOpen")} />
        <TextField {...field("doorsClose")} />
      </div>
    </EditDialog>
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
    registration: event?.registration || "none",
    places: event?.places ? String(event.places) : "",
    doorsOpen: toFieldTime(toDate(event?.doorsOpenAt)),
    doorsClose: toFieldTime(toDate(event?.doorsCloseAt)),
  };
}

function inWords(value: string, name: keyof Fields): string {
  if (name === "registration") return text.registrationModes[value as keyof typeof text.registrationModes] ?? value;
  return TIMES.has(name) && value !== "" ? dateTime(new Date(value)) : value;
}
