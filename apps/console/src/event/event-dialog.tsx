import type { Event } from "@followspot/contract/event";
import type { ClipboardEvent } from "react";
import { useForm } from "react-hook-form";
import { toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { FileField, TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { coordinate, eventRules, toFieldTime } from "./event-rules.ts";
import { useSaveEvent } from "./event.queries.ts";
import { eventStrings } from "./event.strings.ts";

const text = eventStrings.form;
const USUAL_LENGTH_MS = 2 * 3600 * 1000;

/** Creates an event, or edits `event`. */
export function EventDialog({ event, onClose }: { readonly event: Event | undefined; readonly onClose: () => void }) {
  const save = useSaveEvent(event);
  const { register, handleSubmit, getValues, setValue, formState } = useForm({
    defaultValues: {
      title: event?.title ?? "",
      start: toFieldTime(toDate(event?.startsAt)),
      end: toFieldTime(toDate(event?.endsAt)),
      location: event?.location ?? "",
      address: event?.address ?? "",
      lat: event ? String(event.lat) : "",
      lng: event ? String(event.lng) : "",
      banners: undefined as unknown as FileList,
    },
  });
  const { errors } = formState;
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
  const proposeEnd = () => {
    const { start, end } = getValues();
    if (start && !end) setValue("end", toFieldTime(new Date(Date.parse(start) + USUAL_LENGTH_MS)));
  };
  const pastePair = (paste: ClipboardEvent) => {
    const [, lat, lng] =
      /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(paste.clipboardData.getData("text")) ?? [];
    if (lat === undefined || lng === undefined) return;
    paste.preventDefault();
    setValue("lat", lat);
    setValue("lng", lng);
  };
  return (
    <Dialog open wide title={event ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <FormError error={save.error} />
          <TextField
            autoFocus
            label={text.title}
            error={errors.title?.message}
            maxLength={300}
            {...register("title", { validate: eventRules.title })}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              type="datetime-local"
              label={text.start}
              error={errors.start?.message}
              {...register("start", { validate: eventRules.start, onBlur: proposeEnd })}
            />
            <TextField
              type="datetime-local"
              label={text.end}
              error={errors.end?.message}
              {...register("end", { validate: eventRules.end })}
            />
            <TextField label={text.location} maxLength={300} {...register("location")} />
            <TextField label={text.address} maxLength={500} {...register("address")} />
            <TextField
              inputMode="decimal"
              label={text.lat}
              hint={text.coordinatesHint}
              onPaste={pastePair}
              {...register("lat")}
            />
            <TextField inputMode="decimal" label={text.lng} onPaste={pastePair} {...register("lng")} />
          </div>
          <FileField label={text.banner} accept="image/*" {...register("banners")} />
        </DialogBody>
        <DialogActions>
          <Button large onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={save.isPending}>
            {save.isPending ? strings.saving : event ? text.submitUpdate : text.submitCreate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
