import type { VideoHit } from "@followspot/contract/music";
import { useId } from "react";
import { songDuration } from "../lib/formatting.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { musicStrings } from "./music.strings.ts";
import type { Adding } from "./use-add-videos.ts";

const text = musicStrings.add;

export interface VideoChoiceProps {
  readonly title: string;
  readonly videos: readonly VideoHit[];
  /** IDs of the selected videos. */
  readonly chosen: ReadonlySet<string>;
  readonly outcomes: Adding["outcomes"];
  readonly disabled: boolean;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Videos to select from, one line each; those in the library are marked and cannot be selected. */
export function VideoChoice({ title, videos, chosen, outcomes, disabled, onChoose }: VideoChoiceProps) {
  const heading = useId();
  const free = videos.filter((video) => isFree(video, outcomes));
  const toggle = (ytid: string) => {
    const next = new Set(chosen);
    if (!next.delete(ytid)) next.add(ytid);
    onChoose(next);
  };
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h3 id={heading} className="min-w-0 text-sm font-semibold wrap-anywhere">
          {title}
        </h3>
        {free.length > 1 && (
          <label className="flex items-center gap-2 text-xs text-muted">
            <Checkbox
              disabled={disabled}
              checked={chosen.size === free.length}
              isMixed={chosen.size > 0 && chosen.size < free.length}
              onChange={({ target }) => onChoose(new Set(target.checked ? free.map(({ ytid }) => ytid) : []))}
            />
            {text.chooseAll}
          </label>
        )}
      </div>
      <ul aria-labelledby={heading} className="max-h-[45dvh] overflow-auto rounded-md border border-border">
        {videos.map((video) => (
          <li key={video.ytid} className="border-b border-border last:border-b-0">
            <label className="flex min-h-11 items-center gap-3 px-3 py-1.5 has-[:not(:disabled)]:cursor-pointer">
              <Checkbox
                disabled={disabled || !isFree(video, outcomes)}
                checked={chosen.has(video.ytid)}
                onChange={() => toggle(video.ytid)}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm" title={video.title}>
                  {video.title || video.url}
                </span>
                <VideoRemark video={video} outcome={outcomes.get(video.ytid)} />
              </span>
              <span className="shrink-0 text-xs text-muted tabular-nums">
                {video.duration > 0 && songDuration(video.duration)}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether a video is neither in the library nor just added. */
export function isFree({ ytid, songId }: VideoHit, outcomes: Adding["outcomes"]): boolean {
  const outcome = outcomes.get(ytid);
  return songId === "" && (outcome === undefined || outcome.failed !== undefined);
}

function VideoRemark({
  video: { artist, songId },
  outcome,
}: {
  readonly video: VideoHit;
  readonly outcome: { readonly failed?: string } | undefined;
}) {
  if (outcome?.failed !== undefined)
    return <span className="block text-xs wrap-anywhere text-danger">{text.notAdded(outcome.failed)}</span>;
  const mark = outcome ? text.isAdded : songId ? text.isHere : "";
  return (
    <span className="block truncate text-xs text-muted">
      {artist}
      {artist && mark && " · "}
      {mark && <span className={outcome ? "text-ok" : "text-warn"}>{mark}</span>}
    </span>
  );
}
