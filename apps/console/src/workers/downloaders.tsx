import type { Downloader } from "@followspot/contract/music";
import { useId } from "react";
import { errorSentence, isDenied } from "../lib/errors.ts";
import { Status } from "../ui/status.tsx";
import { useDownloaders } from "./workers.queries.ts";
import { workersStrings as text } from "./workers.strings.ts";

/** Status of the link downloader on each worker: version, age, and error if it does not work. */
export function Downloaders() {
  const heading = useId();
  const { data, error } = useDownloaders();
  if (isDenied(error) || (!data && !error)) return null; // the failures section below explains missing permission
  return (
    <section aria-labelledby={heading} className="shrink-0 rounded-lg border border-border bg-surface">
      <h2 id={heading} className="border-b border-border px-4 py-2.5 text-sm font-semibold">
        {text.downloaders}
      </h2>
      {error && !data && <p className="px-4 py-3 text-warn">{text.downloadersUnread(errorSentence(error))}</p>}
      {data?.downloaders.length === 0 && <p className="px-4 py-3 text-muted">{text.noWorker}</p>}
      <ul>
        {data?.downloaders.map((downloader) => (
          <DownloaderRow key={downloader.worker} downloader={downloader} />
        ))}
      </ul>
    </section>
  );
}

function DownloaderRow({ downloader }: { readonly downloader: Downloader }) {
  const { worker, version, released, ageDays, source, problem, fetchingPercent } = downloader;
  const isFetching = fetchingPercent !== undefined;
  const tone = isFetching ? "busy" : problem ? "bad" : version ? "ok" : "off";
  const state = { busy: text.fetching(fetchingPercent ?? 0), bad: text.lacking, ok: text.works, off: text.noVersion };
  return (
    <li className="border-b border-border px-4 py-3 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Status tone={tone}>{state[tone]}</Status>
        {version && <span className="font-mono text-xs">yt-dlp {version}</span>}
        {version && <span className="text-xs text-muted">{text.age(ageDays, released)}</span>}
        {text.sources[source] && <span className="text-xs text-muted">{text.sources[source]}</span>}
        <span className="ml-auto font-mono text-xs text-muted wrap-anywhere">{worker}</span>
      </p>
      {problem ? (
        <p className="mt-1 text-sm wrap-anywhere text-danger">{problem}</p>
      ) : (
        !version && !isFetching && <p className="mt-1 text-sm text-muted">{text.noVersionHint}</p>
      )}
    </li>
  );
}
