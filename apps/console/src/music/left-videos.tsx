import { MusicService } from "@followspot/contract/music";
import { useCan } from "../auth/can.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { addVideos, leftVideos } from "./add-videos.ts";
import { musicStrings } from "./music.strings.ts";
import { useAddLink } from "./use-add-videos.ts";

const text = musicStrings.adding;

/** Videos that were not added as songs, with reasons, and a button that retries them. */
export function LeftVideos() {
  const left = useStore(leftVideos);
  const addLink = useAddLink();
  const mayAdd = useCan()(MusicService.method.addSongFromYoutube);
  if (left.length === 0) return null;
  return (
    <section aria-label={text.left} className="flex shrink-0 flex-col rounded-lg border border-warn">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
        <p role="status" className="min-w-0 text-xs">
          {text.notAdded(left.length)}
        </p>
        <span className="ml-auto flex gap-1.5">
          {mayAdd && <Button onClick={() => void addVideos(addLink, left)}>{text.again}</Button>}
          <Button onClick={() => leftVideos.set([])}>{text.forget}</Button>
        </span>
      </div>
      <ul className="max-h-32 overflow-auto border-t" tabIndex={0} aria-label={text.left}>
        {left.map(({ ytid, url, title, why }) => (
          <li key={ytid} className="border-b px-3 py-1.5 text-xs last:border-b-0">
            <span className="block truncate" title={title}>
              {title || url}
            </span>
            <span className="block wrap-anywhere text-muted">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
