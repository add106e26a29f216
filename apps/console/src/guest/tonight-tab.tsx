import type { GuestTalkJson, MyNightJson } from "@followspot/contract/guest";
import { ChevronUp, Heart, Send, Star } from "lucide-react";
import { Suspense, useState } from "react";
import { useStore } from "../lib/store.ts";
import { call } from "./call.ts";
import { Code, DoorState } from "./code-card.tsx";
import { Guard } from "./guard.tsx";
import { guestStrings } from "./guest.strings.ts";
import { GoldDialog } from "./later-parts.ts";
import type { Night } from "./night.ts";
import { Button, Empty, Problem, Section, useAct } from "./parts.tsx";
import type { TabProps } from "./tabs.ts";
import { Registration } from "./registration.tsx";
import { SongRow } from "./songs-tab.tsx";
import { clock, when } from "./times.ts";
import { useNow } from "./use-now.ts";

const text = guestStrings.event;
const MOST_NEXT = 3;
const STARS = [1, 2, 3, 4, 5];

/** Current song, program, upcoming songs, and the guest's code. */
export function TonightTab({ night, onTab }: TabProps) {
  const { night: mine } = useStore(night.view);
  if (!mine?.event) return <Empty>{text.none}</Empty>;
  return (
    <>
      <CodeCard mine={mine} night={night} onCode={() => onTab("code")} />
      <Registration event={mine.event} night={night} />
      <OnNow mine={mine} night={night} />
      <Section title={text.program}>
        {(mine.talks ?? []).length === 0 && <Empty>{text.noTalks}</Empty>}
        <ul className="flex flex-col divide-y">
          {mine.talks?.map((talk) => (
            <TalkRow key={talk.id} talk={talk} night={night} />
          ))}
        </ul>
      </Section>
      <NextSongs mine={mine} night={night} />
      <Others mine={mine} night={night} />
    </>
  );
}

function CodeCard({
  mine,
  night,
  onCode,
}: {
  readonly mine: MyNightJson;
  readonly night: Night;
  readonly onCode: () => void;
}) {
  const [isSending, setSending] = useState(false);
  const event = mine.event!; // only rendered with an event
  return (
    <section aria-label={text.yourCode} className="guest-card flex gap-4">
      {event.code && (
        <button type="button" aria-label={text.yourCode} className="w-32 shrink-0 self-start" onClick={onCode}>
          <Code event={event} name={mine.userName ?? ""} />
        </button>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="text-sm text-muted">{text.yourCode}</p>
        <p className="line-clamp-2 text-2xl font-semibold wrap-anywhere">{mine.userName}</p>
        <DoorState event={event} />
        <div className="mt-auto flex flex-col pt-2">
          <Button onClick={() => setSending(true)}>
            <Send aria-hidden size={16} /> {guestStrings.gold.send}
          </Button>
        </div>
      </div>
      {isSending && (
        <Guard>
          <Suspense>
            <GoldDialog night={night} onClose={() => setSending(false)} />
          </Suspense>
        </Guard>
      )}
    </section>
  );
}

function OnNow({ mine, night }: { readonly mine: MyNightJson; readonly night: Night }) {
  const { act, problem } = useAct();
  const song = mine.playing;
  if (!song) return null;
  return (
    <section aria-label={text.onNow} className="guest-card flex items-center gap-3 bg-raised">
      <div className="min-w-0 flex-1">
        <p className="text-sm text-muted">{text.onNow}</p>
        <p className="truncate">
          <span className="font-semibold">{song.title}</span>
          {song.artist && <span> · {song.artist}</span>}
        </p>
        <Problem says={problem} />
      </div>
      {mine.playingPlaylistId && (
        <Button
          // The song is playing: a heart cannot move it any more.
          aria-label={guestStrings.songs.thank(song.title ?? "", song.votes ?? 0)}
          aria-pressed={song.voted ?? false}
          onClick={() => void act(() => night.voteSong(song, mine.playingPlaylistId ?? ""))}
        >
          <Heart aria-hidden size={18} /> {song.votes ?? 0}
        </Button>
      )}
    </section>
  );
}

function TalkRow({ talk, night }: { readonly talk: GuestTalkJson; readonly night: Night }) {
  const { act, problem } = useAct();
  const [isRating, setRating] = useState(false);
  const now = useNow();
  const { title = "", speaker, startAt, isOn = false, hasFeedback = false, rating = 0 } = talk;
  const hasBegun = isOn || (startAt !== undefined && Date.parse(startAt) <= now);
  const said = [isOn && text.onNow, speaker, hasFeedback && text.rated(rating)].filter(Boolean).join(" · ");
  return (
    <li className="flex flex-col gap-2 py-2.5">
      <div className="flex items-center gap-3">
        <time dateTime={startAt} className="w-12 shrink-0 text-muted">
          {startAt ? clock(startAt) : text.noTime}
        </time>
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere">{title}</p>
          <p className="text-sm text-muted">{said}</p>
        </div>
        {hasFeedback ? (
          rating > 0 && <Stars rating={rating} />
        ) : hasBegun ? (
          <Button aria-label={text.rate(title)} aria-expanded={isRating} onClick={() => setRating(!isRating)}>
            <Star aria-hidden size={18} />
          </Button>
        ) : null}
        {!hasFeedback && (
          <Button
            aria-label={text.vote(title, talk.points ?? 0)}
            aria-pressed={talk.voted ?? false}
            onClick={() => void act(() => night.voteTalk(talk))}
          >
            <ChevronUp aria-hidden size={18} /> {talk.points ?? 0}
          </Button>
        )}
      </div>
      <Problem says={problem} />
      {isRating && !hasFeedback && <Feedback talk={talk} onSent={() => void night.refresh()} />}
    </li>
  );
}

const Stars = ({ rating }: { readonly rating: number }) => (
  <span role="img" aria-label={text.stars(rating)} className="flex">
    {STARS.map((star) => (
      <Star key={star} aria-hidden size={18} className={star <= rating ? "fill-fg" : "text-muted"} />
    ))}
  </span>
);

function Feedback({
  talk: { id = "", title = "" },
  onSent,
}: {
  readonly talk: GuestTalkJson;
  readonly onSent: () => void;
}) {
  const [rating, setRating] = useState(0);
  const [said, setSaid] = useState("");
  const { act, isBusy, problem, setProblem } = useAct();
  const send = async () => {
    if (said.trim() === "" && rating === 0) return setProblem(text.textRequired);
    const feedback = { talkId: id, text: said.trim() || text.stars(rating), rating };
    if (await act(() => call("talk.v1.TalkService/GiveFeedback", feedback))) onSent();
  };
  return (
    <form
      className="flex flex-col gap-3 pb-2 pl-15"
      onSubmit={(submission) => {
        submission.preventDefault();
        void send();
      }}
    >
      <div role="radiogroup" aria-label={text.rate(title)} className="flex">
        {STARS.map((star) => (
          <button
            key={star}
            type="button"
            role="radio"
            aria-checked={star === rating}
            aria-label={text.stars(star)}
            className="grid size-11 place-items-center"
            onClick={() => setRating(star === rating ? 0 : star)}
          >
            <Star aria-hidden size={26} className={star <= rating ? "fill-accent text-accent" : "text-muted"} />
          </button>
        ))}
      </div>
      <textarea
        aria-label={text.what}
        placeholder={text.what}
        rows={2}
        maxLength={4000}
        className="guest-field py-2"
        value={said}
        onChange={({ target }) => setSaid(target.value)}
      />
      <Problem says={problem} />
      <Button type="submit" look="primary" disabled={isBusy}>
        {text.send}
      </Button>
    </form>
  );
}

/** The next songs; the Songs tab has all of them. */
function NextSongs({ mine, night }: { readonly mine: MyNightJson; readonly night: Night }) {
  const songs = mine.songs ?? [];
  if (songs.length === 0 && !mine.takesRequests) return null;
  return (
    <Section title={guestStrings.songs.title}>
      <ol className="flex flex-col divide-y">
        {songs.slice(0, MOST_NEXT).map((song, index) => (
          <SongRow key={song.id} song={song} place={index + 1} mine={mine} night={night} />
        ))}
      </ol>
      <a className="guest-button" href="#songs">
        {mine.takesRequests ? guestStrings.songs.ask : guestStrings.songs.all}
      </a>
    </Section>
  );
}

function Others({ mine, night }: { readonly mine: MyNightJson; readonly night: Night }) {
  const others = mine.upcoming ?? [];
  if (others.length === 0) return null;
  return (
    <Section title={text.others}>
      <ul className="flex flex-col divide-y">
        {others.map(({ id = "", title, location, startsAt }) => (
          <li key={id}>
            <button type="button" className="w-full py-2.5 text-left" onClick={() => void night.choose(id)}>
              <span className="block">{title}</span>
              <span className="text-sm text-muted">{[location, when(startsAt)].filter(Boolean).join(" · ")}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
