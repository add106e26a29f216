import { Copy } from "lucide-react";
import { errorSentence } from "../lib/errors.ts";
import { toDate } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { useMessage } from "./messages.queries.ts";
import { messagesStrings as text } from "./messages.strings.ts";
import { ReplayButton } from "./replay-button.tsx";

/** Full message: time, headers, and body according to its kind. */
export function MessageView({ stream, sequence }: { readonly stream: string; readonly sequence: bigint }) {
  const { data, error, isPending } = useMessage(stream, sequence);
  const message = data?.message;
  if (isPending) return <Skeleton className="h-24" />;
  if (!message) {
    return (
      <p role="alert" className="text-xs text-danger">
        {error && errorSentence(error)}
      </p>
    );
  }
  const { headers, kind, body, bytes, isCut } = message;
  return (
    <div className="flex flex-col gap-2 text-xs">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium">{text.kinds[kind] ?? kind}</span>
        <span className="text-muted">{text.bytes(bytes)}</span>
        <time dateTime={toDate(message.at)?.toISOString()} className="font-mono text-muted">
          {toDate(message.at)?.toISOString()}
        </time>
        <span className="ml-auto flex flex-wrap gap-2">
          <Button onClick={() => void copy(body)}>
            <Copy aria-hidden size={14} /> {text.copy}
          </Button>
          {kind === "json" && !isCut && <ReplayButton stream={stream} sequence={sequence} />}
        </span>
      </div>
      <dl className="flex gap-x-3">
        <dt className="shrink-0 text-muted">{text.headers}</dt>
        <dd className="min-w-0 font-mono wrap-anywhere">
          {headers.length === 0 && text.noHeaders}
          {headers.map(({ name, value }, i) => (
            <span key={i} className="block">
              {name}: {value}
            </span>
          ))}
        </dd>
      </dl>
      {body === "" ? (
        <p className="text-muted">{text.isEmptyBody}</p>
      ) : (
        <pre
          tabIndex={0}
          aria-label={text.kinds[kind] ?? kind}
          className="max-h-[60vh] overflow-auto rounded-md bg-raised px-3 py-2 font-mono whitespace-pre-wrap wrap-anywhere"
        >
          {body}
        </pre>
      )}
      {isCut && <p className="text-warn">{text.isCut}</p>}
      {body.includes("******") && <p className="text-muted">{text.hidden}</p>}
    </div>
  );
}

async function copy(body: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(body);
    showToast(text.copied);
  } catch {
    // Browsers provide no clipboard API over plain HTTP.
    showToast(text.copyFailed, { bad: true });
  }
}
