import type { GuestSongJson, MyNightJson } from "@followspot/contract/guest";
import type { ListSongsResponseJson, RequestSongResponseJson, SongRequestJson } from "@followspot/contract/music";
import { ChevronUp, Heart } from "lucide-react";
import { useState } from "react";
import { useStore } from "../lib/store.ts";
import { call } from "./call.ts";
import { guestStrings } from "./guest.strings.ts";
import type { Night } from "./night.ts";
import { Button, Empty, Problem, Section, useAct } from "./parts.tsx";
import type { TabProps } from "./tabs.ts";
import { useSearch } from "./use-search.ts";

const text = guestStrings.songs;
const MOST_FOUND = 8;
const LINK = /^https?:\/\//i;

/** Upcoming songs with votes, and song requests. */
export function SongsTab({ night }: TabProps) {
  const { night: mine } = useStore(night.view);
  if (!mine) return null;
  const songs = mine.songs ?? [];
  return (
    <>
      <Section title={text.title} {...(mine.takesRequests && { note: text.left(mine.requestsLeft ?? 0) })}>
        {mine.takesRequests ? <Ask night={night} /> : <Empty>{text.closed}</Empty>}
        {songs.length === 0 && mine.takesRequests && <Empty>{text.empty}</Empty>}
        {songs.some(({ isFixed }) => isFixed) && <p className="text-sm text-muted">{text.fixed}</p>}
        <ol className="flex flex-col divide-y">
          {songs.map((song, index) => (
            <SongRow key={song.id} song={song} place={index + 1} mine={mine} night={night} />
          ))}
        </ol>
      </Section>
      <Mine mine={mine} night={night} />
    </>
  );
}

/** Upcoming song with the guest's vote. */
export function SongRow({
  song,
  place,
  mine,
  night,
}: {
  readonly song: GuestSongJson;
  readonly place: number;
  readonly mine: MyNightJson;
  readonly night: Night;
}) {
  const { act, problem } = useAct();
  const by = song.askedBy && (song.askedBy === mine.userName ? text.yours : text.by(song.askedBy));
  const said = [song.artist, by, !song.isReady && text.notReady].filter(Boolean).join(" · ");
  return (
    <li className="flex items-center gap-3 py-2.5">
      <span className="w-6 shrink-0 text-muted">{place}</span>
      <div className="min-w-0 flex-1">
        <p className="truncate">{song.title}</p>
        <p className="truncate text-sm text-muted">{said}</p>
        <Problem says={problem} />
      </div>
      <Button
        aria-label={(song.isFixed ? text.thank : text.vote)(song.title ?? "", song.votes ?? 0)}
        aria-pressed={song.voted ?? false}
        onClick={() => void act(() => night.voteSong(song, mine.playlistId ?? ""))}
      >
        {song.isFixed ? <Heart aria-hidden size={18} /> : <ChevronUp aria-hidden size={18} />} {song.votes ?? 0}
      </Button>
    </li>
  );
}

/** Requests a song: an available one by its name, any other one by its link. */
function Ask({ night }: { readonly night: Night }) {
  const [input, setInput] = useState("");
  const [said, setSaid] = useState("");
  const { act, isBusy, problem } = useAct();
  const typed = input.trim();
  const isLink = LINK.test(typed);
  const found = useSearch(isLink ? "" : typed, findSongs);
  const ask = (body: { readonly songId: string } | { readonly link: string }) =>
    act(async () => {
      const { request, wasPlayed } = await call<RequestSongResponseJson>("music.v1.MusicService/RequestSong", body);
      setSaid(request ? text.asked(request.title ?? "") : wasPlayed ? text.wasPlayed : text.voted);
      setInput("");
      await night.refresh();
    });
  return (
    <div className="flex flex-col gap-2">
      <form
        className="flex gap-2"
        onSubmit={(submission) => {
          submission.preventDefault();
          const [first] = found ?? [];
          if (isLink) void ask({ link: typed });
          else if (first) void ask({ songId: first.id ?? "" });
        }}
      >
        <input
          type="search"
          aria-label={text.label}
          placeholder={text.label}
          maxLength={2000}
          className="guest-field"
          value={input}
          onChange={({ target }) => {
            setInput(target.value);
            setSaid("");
          }}
        />
        <Button type="submit" look="primary" disabled={isBusy || !(isLink || found?.length)}>
          {text.request}
        </Button>
      </form>
      <Problem says={problem} />
      <p role="status" className="text-sm text-muted empty:hidden">
        {said || (found?.length === 0 && typed.length > 1 ? text.none : "")}
      </p>
      {found && found.length > 0 && (
        <ul aria-label={text.found} className="guest-card flex flex-col divide-y py-1!">
          {found.map(({ id = "", title, artist }) => (
            <li key={id}>
              <button
                type="button"
                disabled={isBusy}
                className="min-h-11 w-full py-1.5 text-left"
                onClick={() => void ask({ songId: id })}
              >
                <span className="block truncate">{title}</span>
                <span className="block truncate text-sm text-muted">{artist}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Finds playable songs whose title or artist contains the words. */
async function findSongs(words: string) {
  const list = { query: words, filter: "ready", pageSize: MOST_FOUND };
  return (await call<ListSongsResponseJson>("music.v1.MusicService/ListSongs", { list })).songs ?? [];
}

function Mine({ mine, night }: { readonly mine: MyNightJson; readonly night: Night }) {
  const requests = mine.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <Section title={text.mine}>
      <ul className="flex flex-col divide-y">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} mine={mine} night={night} />
        ))}
      </ul>
    </Section>
  );
}

/** Describes where the song of an accepted request is now. */
export function placeOfRequest({ songId }: SongRequestJson, mine: MyNightJson): string {
  if (songId !== undefined && songId === mine.playing?.id) return text.playing;
  const place = (mine.songs ?? []).findIndex(({ id }) => id === songId) + 1;
  if (place > 0) return text.placed(place);
  return mine.playedSongIds?.includes(songId ?? "") ? text.played : text.taken;
}

function RequestRow({
  request,
  mine,
  night,
}: {
  readonly request: SongRequestJson;
  readonly mine: MyNightJson;
  readonly night: Night;
}) {
  const { act, isBusy, problem } = useAct();
  const { id = "", title, state = "", note } = request;
  const states: Readonly<Record<string, string>> = {
    waiting: text.waiting,
    taken: placeOfRequest(request, mine),
    refused: text.refused,
  };
  const withdraw = async () => {
    if (await act(() => call("music.v1.MusicService/WithdrawSongRequest", { requestId: id }))) await night.refresh();
  };
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate">{title}</p>
        <p className="text-sm wrap-anywhere text-muted">{[states[state], note].filter(Boolean).join(" · ")}</p>
        <Problem says={problem} />
      </div>
      {state === "waiting" && (
        <Button disabled={isBusy} onClick={() => void withdraw()}>
          {text.withdraw}
        </Button>
      )}
    </li>
  );
}
