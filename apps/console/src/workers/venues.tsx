import { createConnectQueryKey, useMutation, useQuery } from "@connectrpc/connect-query";
import { VenueService, type Venue } from "@followspot/contract/venue";
import { useQueryClient } from "@tanstack/react-query";
import { Ban, CalendarDays, Plus } from "lucide-react";
import { useId, useState } from "react";
import { errorSentence, isDenied } from "../lib/errors.ts";
import { dateTime, relativeTime, timeOfDay, toDate } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../ui/dialog.tsx";
import { CheckboxField } from "../ui/fields.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { showToast } from "../ui/toast.tsx";
import { ChooseTonight } from "./choose-tonight.tsx";
import { NameForm, StartCommand } from "./name-worker.tsx";
import { venuesStrings as text } from "./venues.strings.ts";
import { POLLED } from "./workers.queries.ts";

const TONES: Readonly<Record<string, Tone>> = { here: "ok", away: "wait", new: "off" };
const VENUES = createConnectQueryKey({ schema: VenueService, cardinality: undefined });

function useReadAgain(): () => void {
  const cache = useQueryClient();
  return () => void cache.invalidateQueries({ queryKey: VENUES });
}

/** Venues of this office: synced data and event of each venue server, and actions to add and revoke them. */
export function Venues() {
  const heading = useId();
  const [isAdding, setAdding] = useState(false);
  const { data, error } = useQuery(VenueService.method.listVenues, {}, POLLED);
  if (isDenied(error) || (!data && !error)) return null; // the failures section below explains missing permission
  return (
    <section aria-labelledby={heading} className="shrink-0 rounded-lg border border-border bg-surface">
      <header className="flex items-center justify-between gap-3 border-b border-border py-1.5 pr-2 pl-4">
        <h2 id={heading} className="text-sm font-semibold">
          {text.title}
        </h2>
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden size={14} /> {text.add}
        </Button>
      </header>
      {error && !data && <p className="px-4 py-3 text-warn">{text.unread(errorSentence(error))}</p>}
      <ul>
        {data?.venues.map((venue) => (
          <VenueRow key={venue.id} venue={venue} />
        ))}
      </ul>
      {data?.venues.length === 0 && (
        <p className="px-4 py-3 text-sm text-muted">
          <span className="font-medium text-fg">{text.none}</span> {text.noneHint}
        </p>
      )}
      {isAdding && <AddVenue onClose={() => setAdding(false)} />}
    </section>
  );
}

function VenueRow({ venue }: { readonly venue: Venue }) {
  const { name, state, version, says, eventTitle, holds, isStandby } = venue;
  const seenAt = toDate(venue.seenAt);
  const wholeAt = toDate(holds?.wholeAt);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-border px-4 py-3 last:border-b-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-medium wrap-anywhere">{name}</span>
          <Status tone={TONES[state] ?? "off"}>
            {state === "away" && seenAt ? (
              <time dateTime={seenAt.toISOString()} title={dateTime(seenAt)}>
                {text.notSeen(relativeTime(seenAt))}
              </time>
            ) : (
              (text.states[state] ?? state)
            )}
          </Status>
          {isStandby && <span className="text-xs text-muted">{text.standby}</span>}
          {version && <span className="text-xs text-muted">{text.version(version)}</span>}
        </p>
        <p className="text-sm wrap-anywhere">{text.tonight(eventTitle)}</p>
        {holds && wholeAt && (
          <p className="flex flex-wrap gap-x-3 text-xs text-muted">
            <span className="wrap-anywhere">{text.holds(holds)}</span>
            <time dateTime={wholeAt.toISOString()} title={dateTime(wholeAt)}>
              {text.asOf(timeOfDay(wholeAt))}
            </time>
            {holds.waiting > 0 && <span>{text.waiting(holds.waiting)}</span>}
          </p>
        )}
        {says && <p className="text-sm wrap-anywhere text-warn">{says}</p>}
      </div>
      <VenueActions venue={venue} />
    </li>
  );
}

function VenueActions({ venue }: { readonly venue: Venue }) {
  const { id, name } = venue;
  const [asks, setAsks] = useState<"" | "tonight" | "revoke">("");
  const readAgain = useReadAgain();
  const close = () => setAsks("");
  const revoke = useMutation(VenueService.method.revokeVenue, {
    onSuccess: () => {
      readAgain();
      close();
      showToast(text.revoked(name));
    },
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={text.chooseOf(name)} onClick={() => setAsks("tonight")}>
        <CalendarDays aria-hidden size={14} /> {text.choose}
      </Button>
      <Button variant="danger" aria-label={text.revokeOf(name)} onClick={() => (revoke.reset(), setAsks("revoke"))}>
        <Ban aria-hidden size={14} /> {text.revoke}
      </Button>
      {asks === "tonight" && <ChooseTonight venue={venue} onSaved={readAgain} onClose={close} />}
      {asks === "revoke" && (
        <ConfirmDialog
          open
          title={text.revokeOf(name)}
          message={text.revokeMessage}
          confirmLabel={text.revokeLabel}
          pending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ venueId: id })}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Dialog that adds a venue and shows its server's start command once. The command can only be closed with its button. */
function AddVenue({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [isStandby, setStandby] = useState(false);
  const readAgain = useReadAgain();
  const add = useMutation(VenueService.method.addVenue, { onSuccess: readAgain });
  if (add.data)
    return (
      <Dialog open wide title={text.startTitle(add.data.venue?.name ?? name)}>
        <StartCommand
          what={isStandby ? text.startStandby : text.startWhat}
          start="npm run venue"
          token={add.data.token}
          onClose={onClose}
        />
      </Dialog>
    );
  return (
    <Dialog open wide dirty={name !== ""} title={text.add} onClose={onClose}>
      <NameForm
        what={text.addWhat}
        field={text.name}
        name={name}
        setName={setName}
        label={text.addLabel}
        pendingLabel={text.adding}
        pending={add.isPending}
        error={add.error}
        onSubmit={(given) => add.mutate({ name: given, isStandby })}
        onClose={onClose}
      >
        <CheckboxField
          label={text.isStandby}
          checked={isStandby}
          onChange={({ target }) => setStandby(target.checked)}
        />
        {isStandby && <p className="text-sm text-muted">{text.standbyWhat}</p>}
      </NameForm>
    </Dialog>
  );
}
