import { useDownloader } from "./music.queries.ts";
import { musicStrings } from "./music.strings.ts";

const text = musicStrings.add;

/** Warns before a link is added that downloads would fail; empty if they work or the state is unknown. */
export function DownloaderNotice() {
  const { data } = useDownloader();
  if (!data) return null;
  if (data.problem)
    return (
      <p role="alert" className="rounded-md border border-warn bg-warn/10 px-3 py-2 text-sm wrap-anywhere">
        {data.problem}
      </p>
    );
  const percent = data.downloaders.find(({ fetchingPercent }) => fetchingPercent !== undefined)?.fetchingPercent;
  const isMissing = data.downloaders.some(({ source }) => source === "none");
  if (percent === undefined && !isMissing) return null;
  return (
    <p role="status" className="text-xs text-muted">
      {percent === undefined ? text.fetchedFirst : text.beingFetched(percent)}
    </p>
  );
}
