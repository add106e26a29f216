import { Search } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { errorSentence, plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { TextField } from "../ui/fields.tsx";
import { showToast } from "../ui/toast.tsx";
import type { AddingRun } from "./add-videos.ts";
import { DownloaderNotice } from "./downloader-notice.tsx";
import { useAddSong, useVideoPlaylist, useVideoSearch } from "./music.queries.ts";
import { musicStrings } from "./music.strings.ts";
import { useAddVideos } from "./use-add-videos.ts";
import { isFree, VideoChoice } from "./video-choice.tsx";
import { namesPlaylist, readTyped, videoUrlError } from "./video-url.ts";

const text = musicStrings.add;

/**
 * Dialog with one field for links and searches. A video is added, words are searched for, a playlist is opened for
 * selection. Add Song with words and no selection shows the message of the specification; Enter in the field searches
 * for the words.
 */
export function AddSongDialog({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const add = useAddSong();
  const search = useVideoSearch();
  const playlist = useVideoPlaylist();
  const many = useAddVideos();
  const kind = readTyped(typed);
  const opens = kind === "words" ? "search" : namesPlaylist(typed) ? "playlist" : undefined;
  const videos = search.data?.hits ?? playlist.data?.hits ?? [];
  const picked = videos.filter((video) => chosen.has(video.ytid) && isFree(video, many.outcomes));
  const isAdding = add.isPending || many.progress !== undefined;

  const change = (value: string) => {
    setTyped(value);
    setRefused(undefined);
    setChosen(new Set());
    many.forget();
    for (const list of [search, playlist]) list.reset();
  };
  const open = () => {
    setRefused(undefined);
    if (opens === "search") return search.mutate({ query: typed.trim().slice(0, MOST_WORDS), limit: MOST_HITS });
    playlist.mutate(
      { url: withScheme(typed.trim()) },
      { onSuccess: ({ hits }) => setChosen(new Set(hits.filter(({ songId }) => !songId).map(({ ytid }) => ytid))) },
    );
  };
  const addOne = () =>
    add.mutate(
      { url: withScheme(typed.trim()) },
      {
        onSuccess: ({ song, status }) => {
          const title = song?.title || musicStrings.untitled;
          showToast(status === "existing" ? text.existing(title) : text.added(title));
          onClose();
        },
        onError: (error) => setRefused(plainErrorText(error) || text.failed),
      },
    );
  const addPicked = async () => {
    const left = await many.add(picked);
    if (!left) return;
    setChosen(new Set(left.map(({ ytid }) => ytid)));
    if (left.length > 0) return;
    showToast(picked.length === 1 ? text.added(picked[0]?.title ?? "") : text.addedMany(picked.length));
    onClose();
  };
  const submit = () => {
    if (picked.length > 0) return void addPicked();
    const wrong = videoUrlError(typed);
    setRefused(wrong);
    if (wrong) return;
    if (kind === "playlist") open();
    else addOne();
  };
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.key !== "Enter" || kind !== "words") return;
    key.preventDefault();
    if (!search.isPending) open();
  };

  return (
    <Dialog open wide dirty={typed !== "" && many.progress === undefined} title={text.title} onClose={onClose}>
      <form
        noValidate
        className="contents"
        onSubmit={(submission) => {
          submission.preventDefault();
          submit();
        }}
      >
        <DialogBody>
          <DownloaderNotice />
          <div className="grid grid-cols-[1fr_auto] items-start gap-2">
            <TextField
              autoFocus
              label={text.url}
              hint={text.hint}
              placeholder={text.placeholder}
              error={refused}
              value={typed}
              most={2000}
              disabled={isAdding}
              onKeyDown={onKeyDown}
              onChange={({ target }) => change(target.value)}
            />
            {opens && (
              // Aligned with the field, not its label.
              <Button large className="mt-5" pending={search.isPending || playlist.isPending} onClick={open}>
                {opens === "search" && <Search aria-hidden size={14} />}
                {opens === "search" ? text.search : text.showPlaylist}
              </Button>
            )}
          </div>
          <p role="status" className="text-xs text-muted empty:hidden">
            {search.isPending && text.searching}
            {playlist.isPending && text.reading}
            {search.data && text.found(videos.length)}
            {playlist.data && text.entries(videos.length, videos.filter(({ songId }) => songId).length)}
            {playlist.data?.isCut && ` ${text.isCut}`}
            {Boolean(playlist.data?.leftOut) && ` ${text.leftOut(playlist.data?.leftOut ?? 0)}`}
          </p>
          {(search.error || playlist.error) && (
            <p role="alert" className="text-sm wrap-anywhere text-danger">
              {search.error
                ? text.searchFailed(errorSentence(search.error))
                : text.playlistFailed(errorSentence(playlist.error))}
            </p>
          )}
          {videos.length > 0 && (
            <VideoChoice
              title={playlist.data ? text.playlist(playlist.data.title) : text.hits}
              videos={videos}
              chosen={chosen}
              outcomes={many.outcomes}
              disabled={isAdding}
              onChoose={setChosen}
            />
          )}
          {many.progress && <p className="text-xs text-muted">{musicStrings.adding.goesOn}</p>}
        </DialogBody>
        <DialogActions>
          {many.progress && (
            <Button large disabled={many.progress.isStopping} onClick={many.stop}>
              {musicStrings.adding.stop}
            </Button>
          )}
          <Button large onClick={onClose}>
            {many.progress ? text.close : strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={isAdding}>
            {addLabel(isAdding, picked.length, many.progress)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const MOST_HITS = 20;
const MOST_WORDS = 200;

/** The server accepts only links with a scheme. */
const withScheme = (link: string) => (/^[a-z][a-z\d+.-]*:/i.test(link) ? link : `https://${link}`);

function addLabel(isAdding: boolean, picked: number, progress: AddingRun | undefined) {
  if (progress && progress.of > 1) return text.submittingMany(progress.done, progress.of);
  if (isAdding) return text.submitting;
  return picked > 1 ? text.submitMany(picked) : text.submit;
}
