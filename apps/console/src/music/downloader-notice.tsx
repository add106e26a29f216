import { useDownloader } from "./music.queries.ts";
import { musicStrings } from "./music.strings.ts";

const text = musicStrings.add;

/** Says before a link is added what would keep it from being downloaded. Nothing while all is well, or not known. */
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
