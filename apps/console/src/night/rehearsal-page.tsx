import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "@followspot/contract/event";
import type { Playlist } from "@followspot/contract/music";
import { NightService } from "@followspot/contract/night";
import { Code, ConnectError } from "@connectrpc/connect";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { clockNote, momentIn } from "../event/own-times.ts";
import { errorText } from "../lib/errors.ts";
import { toDate } from "../lib/formatting.ts";
import { ownZone } from "../lib/time-zone.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { Progress } from "../ui/progress.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { FindingsBlock } from "./findings-block.tsx";
import { nightStrings } from "./night.strings.ts";
import { RunThrough } from "./run/run-through.tsx";
import {
  nextEvent,
  useEvents,
  usePlaylists,
  useProgress,
  useRehearsal,
  type RehearsalOptions,
} from "./rehearsal.queries.ts";

const text = nightStrings.rehearsal;
const USUAL_MINUTES = 20;

/** An event's evening before doors: chosen, run, and what would go wrong in it. */
export function RehearsalPage() {
  const isAllowed = useCan()(NightService.method.rehearseNight);
  return (
    <Page title={text.title} subtitle={text.subtitle}>
      {isAllowed ? <Choose /> : <EmptyState text={text.denied} />}
    </Page>
  );
}

function Choose() {
  const events = useEvents();
  const playlists = usePlaylists();
  if (events.isError) return <ErrorState prefix={text.loadError} error={events.error} onRetry={() => void events.refetch()} />; // prettier-ignore
  if (!events.data || playlists.isPending) return <Loading />;
  if (events.data.events.length === 0)
    return (
      <EmptyState text={text.noEvent}>
        <Link to="/events" className={buttonClass()}>
          {text.events}
        </Link>
      </EmptyState>
    );
  return <Rehearse events={events.data.events} playlists={playlists.data?.playlists ?? []} />;
}

function Rehearse({
  events,
  playlists,
}: {
  readonly events: readonly Event[];
  readonly playlists: readonly Playlist[];
}) {
  const { event: asked } = useSearch({ from: "/shell/rehearsal" });
  const { rehearsal, cancel } = useRehearsal();
  const progress = useProgress(rehearsal.isPending);
  const { data, isPending, error } = rehearsal;
  const note = data && clockNote(data.zone, [toDate(data.startsAt), toDate(data.endsAt)]);
  const isCancelled = error instanceof ConnectError && error.code === Code.Canceled;
  return (
    <>
      <Options
        events={events}
        playlists={playlists}
        asked={asked}
        isPending={isPending}
        onGo={(options) => rehearsal.mutate(options)}
        onCancel={cancel}
      />
      {isPending && (
        <div className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
          <p role="status" className="flex flex-wrap justify-between gap-x-3 text-sm">
            {text.running}
            {progress?.isRunning && progress.total > 0 && (
              <span className="text-muted">{text.progress(progress.done, progress.total)}</span>
            )}
          </p>
          <Progress
            label={text.running}
            {...(progress && progress.total > 0 && { value: progress.done / progress.total })}
          />
        </div>
      )}
      {error && !isPending && (
        <p role="alert" className={isCancelled ? "text-muted" : "wrap-anywhere text-danger"}>
          {isCancelled ? text.cancelled : `${text.failed}: ${errorText(error)}`}
        </p>
      )}
      {data && !isPending ? (
        <>
          {note && <p className="text-xs text-muted">{note}</p>}
          <FindingsBlock findings={data.findings} />
          <RunThrough rehearsal={data} />
        </>
      ) : (
        !isPending && !error && <EmptyState text={text.none} />
      )}
    </>
  );
}

function Options({
  events,
  playlists,
  asked,
  isPending,
  onGo,
  onCancel,
}: {
  readonly events: readonly Event[];
  readonly playlists: readonly Playlist[];
  /** Id of the event that the link names. */
  readonly asked: string | undefined;
  readonly isPending: boolean;
  readonly onGo: (options: RehearsalOptions) => void;
  readonly onCancel: () => void;
}) {
  const [chosen, setChosen] = useState(() => (events.find(({ id }) => id === asked) ?? nextEvent(events, Date.now()))?.id ?? ""); // prettier-ignore
  // Walk-in music repeats and is no part of the show.
  const walkIn = playlists.flatMap(({ id, walkInDb }) => (walkInDb === undefined ? [] : [id]));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(walkIn));
  const [minutes, setMinutes] = useState(String(USUAL_MINUTES));
  const talkMinutes = Number(minutes);
  const isWrong = !/^\d{1,3}$/.test(minutes) || talkMinutes < 1 || talkMinutes > 240;
  const playlistIds = playlists.map(({ id }) => id).filter((id) => !left.has(id));
  const isUsual = left.size === walkIn.length && walkIn.every((id) => left.has(id));
  const toggle = (id: string) => setLeft((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]))); // prettier-ignore
  return (
    <form
      className="grid shrink-0 items-start gap-3 rounded-lg border bg-surface p-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_10rem_auto]"
      onSubmit={(submit) => {
        submit.preventDefault();
        const zone = events.find(({ id }) => id === chosen)?.timeZone || ownZone();
        if (!isWrong && !isPending)
          onGo({ eventId: chosen, playlistIds: isUsual ? [] : playlistIds, talkMinutes, zone });
      }}
    >
      <SelectField label={text.event} value={chosen} onChange={({ target }) => setChosen(target.value)}>
        {events.map(({ id, title, startsAt, timeZone }) => (
          <option key={id} value={id}>
            {[title || text.untitled, startsAt && momentIn(timestampDate(startsAt), timeZone).local]
              .filter(Boolean)
              .join(" · ")}
          </option>
        ))}
      </SelectField>
      <fieldset className="min-w-0">
        <legend className="text-xs text-muted">
          {text.playlists} · {text.playlistsHint}
        </legend>
        <div className="max-h-32 overflow-auto">
          {playlists.length === 0 && <p className="text-sm text-muted">{text.noPlaylist}</p>}
          {playlists.map(({ id, name }) => (
            <CheckboxField key={id} label={name} checked={!left.has(id)} onChange={() => toggle(id)} />
          ))}
        </div>
      </fieldset>
      <TextField
        label={text.talkMinutes}
        inputMode="numeric"
        value={minutes}
        error={isWrong ? text.talkMinutesWrong : undefined}
        onChange={({ target }) => setMinutes(target.value)}
      />
      <div className="flex gap-2 lg:pt-5">
        {isPending ? (
          <Button large onClick={onCancel}>
            {text.cancel}
          </Button>
        ) : (
          <Button
            large
            type="submit"
            variant="primary"
            disabled={isWrong || (playlists.length > 0 && playlistIds.length === 0)}
          >
            {text.go}
          </Button>
        )}
      </div>
    </form>
  );
}
