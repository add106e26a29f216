import { X } from "lucide-react";
import { useEffect } from "react";
import { askBeforeLeaving } from "../lib/ask-before-leaving.ts";
import { byteSize } from "../lib/formatting.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { Progress } from "../ui/progress.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { lostUploads } from "./lost-uploads.ts";
import { musicStrings } from "./music.strings.ts";
import {
  cancelUpload,
  cancelUploads,
  clearUploads,
  isUnderWay,
  uploads,
  type Upload,
  type UploadState,
} from "./upload-songs.ts";

const text = musicStrings.uploads;

/** Panel with every dropped or chosen file, its progress and result. */
export function UploadPanel() {
  const list = useStore(uploads);
  const isSending = list.some(({ state }) => isUnderWay(state));
  useEffect(() => (isSending ? askBeforeLeaving() : undefined), [isSending]);
  if (list.length === 0) return <LostUploads />;
  const failed = list.filter(({ state }) => state === "failed").length;
  return (
    <section aria-label={text.label} className="flex shrink-0 flex-col rounded-lg border bg-surface">
      <div className="flex items-center gap-3 px-3 py-2">
        <h2 className="text-xs font-medium text-muted">{text.label}</h2>
        <span role="status" className="text-xs text-muted">
          {text.summary(list.filter(({ state }) => !isUnderWay(state)).length, list.length, failed)}
        </span>
        <span className="ml-auto">
          {isSending ? (
            <Button onClick={cancelUploads}>{text.cancelAll}</Button>
          ) : (
            <Button onClick={clearUploads}>{text.clear}</Button>
          )}
        </span>
      </div>
      <ul className="max-h-44 overflow-auto border-t" tabIndex={0} aria-label={text.label}>
        {list.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

/** Files whose upload was interrupted by a reload; the browser has no access to them anymore. */
function LostUploads() {
  const names = useStore(lostUploads);
  if (names.length === 0) return null;
  return (
    <section
      aria-label={text.label}
      className="flex shrink-0 items-start gap-3 rounded-lg border border-warn px-3 py-2"
    >
      <div role="status" className="min-w-0 text-xs">
        <p>{text.lost(names.length)}</p>
        <p className="wrap-anywhere text-muted">{names.join(", ")}</p>
      </div>
      <Button className="ml-auto" onClick={() => lostUploads.set([])}>
        {text.forget}
      </Button>
    </section>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { id, file, state, progress } = upload;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_80px_120px_minmax(0,1fr)_28px]">
      <span className="truncate">{file.name}</span>
      <span className="text-right text-xs text-muted max-sm:hidden">{byteSize(file.size)}</span>
      <span className="max-sm:col-start-1">
        {state === "sending" && <Progress label={file.name} value={progress} />}
      </span>
      <span className="min-w-0 text-xs max-sm:col-start-1">
        <Status tone={TONES[state]}>
          <span className="whitespace-normal">{describe(upload)}</span>
        </Status>
      </span>
      {isUnderWay(state) && (
        <button
          type="button"
          aria-label={`${musicStrings.cancel} ${file.name}`}
          className="rounded-md p-1 text-muted hover:text-fg max-sm:col-start-2 max-sm:row-start-1"
          onClick={() => cancelUpload(id)}
        >
          <X aria-hidden size={14} />
        </button>
      )}
    </li>
  );
}

function describe({ state, progress, error, existing }: Upload): string {
  if (state === "failed") return error ?? "";
  if (state === "existing") return text.existing(existing ?? "");
  if (state === "restarted") return text.restarted(existing ?? "");
  return state === "sending" ? text.sending(Math.round(progress * 100)) : text[state];
}

const TONES: Record<UploadState, Tone> = {
  waiting: "off",
  sending: "busy",
  checking: "busy",
  done: "ok",
  existing: "ok",
  restarted: "ok",
  failed: "bad",
  cancelled: "off",
};
