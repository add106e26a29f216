import { EventService, type Event } from "@followspot/contract/event";
import { useMemo, useState, type ClipboardEvent, type FocusEvent, type KeyboardEvent } from "react";
import { useWatch } from "react-hook-form";
import { useCan } from "../auth/can.ts";
import { momentOf, toFieldTime, typedInWords } from "../lib/field-time.ts";
import { toDate } from "../lib/formatting.ts";
import { ownZone, zoneNames } from "../lib/time-zone.ts";
import { EditDialog, fieldsIn, useEdit } from "../ui/edit-dialog.tsx";
import { FileField, SelectField, TextField } from "../ui/fields.tsx";
import { Options } from "../ui/options.tsx";
import { coordinate, coordinatePair, endFor, EVENT_LIMITS, eventRules, fieldCoordinates } from "./event-rules.ts";
import { EVENTS, useEventCalls, useSaveEvent } from "./event.queries.ts";
import { eventStrings } from "./event.strings.ts";
import { ownTimes } from "./own-times.ts";

const text = eventStrings.form;

type Fields = Record<
  | "title"
  | "start"
  | "end"
  | "timeZone"
  | "location"
  | "address"
  | "lat"
  | "lng"
  | "registration"
  | "places"
  | "doorsOpen"
  | "doorsClose"
  | "musicDuringTalks"
  | "publicPage",
  string
>;
const TIMES = new Set<keyof Fields>(["start", "end", "doorsOpen", "doorsClose"]);
const timeField = { type: "datetime-local" } as const;

/** Creates an event, or edits `event`. */
export function EventDialog({
  event,
  day = "",
  onClose,
}: {
  readonly event: Event | undefined;
  /** Preselected day of a new event, "2026-05-01"; empty if none was chosen. */
  readonly day?: string | undefined;
  readonly onClose: () => void;
}) {
  const edit = useEdit<Event, Fields>(event, (shown) => (shown ? fieldsOf(shown) : newFields(day)));
  const save = useSaveEvent(edit.base);
  const can = useCan();
  const { restore } = useEventCalls();
  const { getValues, setValue, formState } = edit.form;
  const [banner, setBanner] = useState<File>();
  const [endTyped, setEndTyped] = useState(event !== undefined);
  const moveEnd = () => {
    const { start, end, timeZone } = getValues();
    const next = endFor(start, end, endTyped, timeZone);
    if (next !== end) setValue("end", next, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  };
  /** @returns whether the text contained both coordinates */
  const takePair = (text: string): boolean => {
    const pair = coordinatePair(text);
    if (!pair) return false;
    const how = { shouldDirty: true, shouldValidate: formState.isSubmitted };
    setValue("lat", pair.lat, how);
    setValue("lng", pair.lng, how);
    return true;
  };
  const [start, end, timeZone] = useWatch({ control: edit.form.control, name: ["start", "end", "timeZone"] });
  const moments = [
    momentOf(start, toDate(edit.base?.startsAt), timeZone),
    momentOf(end, toDate(edit.base?.endsAt), timeZone),
  ];
  const zones = useMemo(() => zoneNames([ownZone(), event?.timeZone ?? ""]), [event]);
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
  const pairField = (name: "lat" | "lng") => {
    const { onBlur, ...rest } = field(name);
    return {
      ...rest,
      onPaste: (paste: ClipboardEvent) => takePair(paste.clipboardData.getData("text")) && paste.preventDefault(),
      onBlur: async (blur: FocusEvent<HTMLInputElement>) => {
        const typed = blur.currentTarget.value;
        await onBlur(blur);
        takePair(typed);
      },
      // Splits the coordinates before Enter submits the form.
      onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) =>
        key === "Enter" && takePair(currentTarget.value),
    };
  };
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
      deletion={{
        isDeleted: ({ deletedAt }) => deletedAt !== undefined,
        restore: can(EventService.method.restoreEvent) ? restore : undefined,
      }}
      onSubmit={({ start, end, lat, lng, places, doorsOpen, doorsClose, ...fields }) =>
        save.mutate(
          {
            ...fields,
            start: momentOf(start, toDate(edit.base?.startsAt), fields.timeZone),
            end: momentOf(end, toDate(edit.base?.endsAt), fields.timeZone),
            places: Number(places),
            doorsOpen: doorsOpen ? momentOf(doorsOpen, toDate(edit.base?.doorsOpenAt), fields.timeZone) : undefined,
            doorsClose: doorsClose ? momentOf(doorsClose, toDate(edit.base?.doorsCloseAt), fields.timeZone) : undefined,
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
        <div className="sm:col-span-2">
          {" "}
          <SelectField
            {...edit.form.register("timeZone", { onChange: moveEnd })}
            label={text.timeZone}
            hint={ownTimes(moments, timeZone) ?? text.timeZoneHint}
          >
            <option value="">{text.noTimeZone}</option>
            <Options of={zones.map((zone) => [zone, zone.replaceAll("_", " ")])} />
          </SelectField>
        </div>
        <TextField {...field("location")} />
        <TextField {...field("address")} />
        <TextField {...pairField("lat")} />
        <TextField {...pairField("lng")} />
      </div>
      <FileField label={text.banner} accept="image/*" onChange={({ target }) => setBanner(target.files?.[0])} />
      <div className="grid gap-3 border-t pt-3 sm:grid-cols-2">
        <SelectField {...edit.form.register("registration")} label={text.registration} hint={text.registrationHint}>
          <Options of={Object.entries(text.registrationModes)} />
        </SelectField>
        <TextField {...field("places")} />
        <TextField {...field("doorsOpen")} />
        <TextField {...field("doorsClose")} />
        <SelectField
          {...edit.form.register("musicDuringTalks")}
          label={text.musicDuringTalks}
          hint={text.musicDuringTalksHint}
        >
          <Options of={Object.entries(text.musicModes)} />
        </SelectField>
        <SelectField {...edit.form.register("publicPage")} label={text.publicPage} hint={text.publicPageHint}>
          <Options of={Object.entries(text.publicPages)} />
        </SelectField>
      </div>
    </EditDialog>
  );
}

/** Start time of a new event on a preselected day. */
const USUAL_START = "20:00";

function newFields(day: string): Fields {
  const start = day && `${day}T${USUAL_START}`;
  const timeZone = ownZone();
  return {
    title: "",
    start,
    end: endFor(start, "", false, timeZone),
    timeZone,
    location: "",
    address: "",
    lat: "",
    lng: "",
    registration: "none",
    places: "",
    doorsOpen: "",
    doorsClose: "",
    musicDuringTalks: "pauses",
    publicPage: "link",
  };
}

function fieldsOf(event: Event): Fields {
  const { title, timeZone, location, address } = event;
  return {
    title,
    start: toFieldTime(toDate(event.startsAt), timeZone),
    end: toFieldTime(toDate(event.endsAt), timeZone),
    timeZone,
    location,
    address,
    ...fieldCoordinates(event),
    registration: event.registration || "none",
    places: event.places ? String(event.places) : "",
    doorsOpen: toFieldTime(toDate(event.doorsOpenAt), timeZone),
    doorsClose: toFieldTime(toDate(event.doorsCloseAt), timeZone),
    musicDuringTalks: event.musicDuringTalks || "continues",
    publicPage: event.publicPage || "off",
  };
}

function inWords(value: string, name: keyof Fields): string {
  if (name === "registration") return text.registrationModes[value as keyof typeof text.registrationModes] ?? value;
  if (name === "musicDuringTalks") return text.musicModes[value as keyof typeof text.musicModes] ?? value;
  if (name === "publicPage") return text.publicPages[value as keyof typeof text.publicPages] ?? value;
  if (name === "timeZone") return value || text.noTimeZone;
  return TIMES.has(name) && value !== "" ? typedInWords(value) : value;
}
