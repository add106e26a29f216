import { useMutation, useQuery } from "@connectrpc/connect-query";
import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { VenueService, type Venue } from "@followspot/contract/venue";
import { useState } from "react";
import { dateTime, toDate } from "../lib/formatting.ts";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { CheckboxField, SelectField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Options } from "../ui/options.tsx";
import { venuesStrings as text } from "./venues.strings.ts";

/** Maximum number of live or upcoming events offered. */
const MOST_EVENTS = 100;
const eventsThat = (filter: string) => ({ list: { filter, pageSize: MOST_EVENTS, orderBy: "starts_at" } });

interface Props {
  readonly venue: Venue;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Dialog that chooses the event of a venue, and the playlists to sync to its venue server. */
export function ChooseTonight({ venue, onSaved, onClose }: Props) {
  const [eventId, setEvent] = useState(venue.eventId);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(venue.playlistIds));
  const live = useQuery(EventService.method.listEvents, eventsThat("live"), { staleTime: 0 });
  const next = useQuery(EventService.method.listEvents, eventsThat("upcoming"), { staleTime: 0 });
  const playlists = useQuery(MusicService.method.listPlaylists, {}, { staleTime: 0 });
  const save = useMutation(VenueService.method.setTonight, { onSuccess: () => (onSaved(), onClose()) });
  const events = [...(live.data?.events ?? []), ...(next.data?.events ?? [])];
  const options = new Map([
    ["", text.noEvent],
    ...(venue.eventId ? [[venue.eventId, venue.eventTitle] as const] : []),
    ...events.map(({ id, title, startsAt }) => {
      const at = toDate(startsAt);
      return [id, at ? `${title}, ${dateTime(at)}` : title] as const;
    }),
  ]);
  const toggle = (id: string) => {
    const others = new Set(chosen);
    if (!others.delete(id)) others.add(id);
    setChosen(others);
  };
  const isChanged = eventId !== venue.eventId || [...chosen].sort().join() !== [...venue.playlistIds].sort().join();
  return (
    <Dialog open dirty={isChanged} title={text.chooseOf(venue.name)} onClose={onClose}>
      <form
        noValidate
        className="contents"
        onSubmit={(submission) => {
          submission.preventDefault();
          save.mutate({ venueId: venue.id, eventId, playlistIds: [...chosen] });
        }}
      >
        <DialogBody>
          <FormError error={save.error ?? live.error ?? next.error ?? playlists.error} />
          <SelectField label={text.event} value={eventId} onChange={({ target }) => setEvent(target.value)}>
            <Options of={[...options]} />
          </SelectField>
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 text-xs text-muted">{text.playlists}</legend>
            {playlists.data?.playlists.map(({ id, name }) => (
              <CheckboxField key={id} label={name} checked={chosen.has(id)} onChange={() => toggle(id)} />
            ))}
            {playlists.data?.playlists.length === 0 && <p className="text-sm text-muted">{text.noPlaylists}</p>}
          </fieldset>
        </DialogBody>
        <SaveActions label={text.chooseLabel} pendingLabel={text.saving} pending={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
