import { useId, useRef, useState } from "react";
import { useCan } from "../auth/can.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { TextAreaField } from "../ui/fields.tsx";
import { Status } from "../ui/status.tsx";
import { bodyOf, misfitOf } from "./body-edit.ts";
import { BodyForm } from "./body-form.tsx";
import { isReading, type DocMethod } from "./catalogue.ts";
import { docsStrings } from "./docs.strings.ts";
import { sendCall, type Answered } from "./send-call.ts";

const text = docsStrings.tryIt;

/** Sends a method's body as the signed-in person, and shows what came back; a call that may change something has to be confirmed first. */
export function TryIt({
  method,
  body,
  onBody,
}: {
  readonly method: DocMethod;
  readonly body: string;
  readonly onBody: (body: string) => void;
}) {
  const titleId = useId();
  const can = useCan();
  const [fault, setFault] = useState<string>();
  const [answered, setAnswered] = useState<Answered>();
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const sending = useRef<AbortController>(undefined);
  if (!can(method.descriptor)) return <p className="text-xs text-muted">{text.denied(method.access)}</p>;

  const { input } = method.descriptor;
  const parsed = bodyOf(body);
  const misfit = parsed && misfitOf(input, parsed);
  const send = async () => {
    setAsking(false);
    setSending(true);
    sending.current = new AbortController();
    setAnswered(await sendCall(method.path, body, sending.current.signal));
    setSending(false);
  };
  const press = () => {
    const why = faultOf(body);
    setFault(why);
    if (why !== undefined) return;
    if (isReading(method.name)) void send();
    else setAsking(true);
  };
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-2 border-t pt-3">
      <h3 id={titleId} className="text-xs font-medium text-muted">
        {text.title}
      </h3>
      <div className="grid gap-3 md:grid-cols-2">
        <div role="group" aria-label={text.fields} className="min-w-0">
          {parsed ? (
            <BodyForm message={input} body={parsed} onChange={(said) => onBody(JSON.stringify(said, null, 2))} />
          ) : (
            <p className="text-xs text-muted">{text.noForm}</p>
          )}
        </div>
        <TextAreaField
          label={text.body}
          className="font-mono text-xs"
          rows={Math.min(16, body.split("\n").length + 1)}
          spellCheck={false}
          value={body}
          hint={misfit === undefined ? undefined : text.misfit(input.name, misfit)}
          error={parsed ? undefined : fault}
          onChange={(change) => onBody(change.target.value)}
        />
      </div>
      <span className="flex flex-wrap items-center gap-2">
        <Button variant="primary" pending={isSending} onClick={press}>
          {text.send}
        </Button>
        {isSending && <Button onClick={() => sending.current?.abort()}>{text.cancel}</Button>}
        {answered && !isSending && <Said answered={answered} />}
      </span>
      {answered && (
        <pre
          tabIndex={0}
          aria-label={text.answer}
          className="max-h-96 overflow-auto rounded-lg border bg-bg p-3 font-mono text-xs"
        >
          {answered.body}
        </pre>
      )}
      <ConfirmDialog
        title={text.sure(method.name)}
        message={text.sureWhy}
        confirmLabel={text.sendNow(method.name)}
        open={isAsking}
        onConfirm={() => void send()}
        onClose={() => setAsking(false)}
      />
    </section>
  );
}

function Said({ answered: { status, code, ms, bytes } }: { readonly answered: Answered }) {
  return (
    <span role="status" className="flex flex-wrap items-center gap-x-3 text-xs">
      <Status tone={status === 200 ? "ok" : "bad"}>{[status || text.noAnswer, code].filter(Boolean).join(" ")}</Status>
      <span className="text-muted">{text.cost(ms, bytes)}</span>
    </span>
  );
}

/** Why a body is not sent; undefined where it is JSON. */
function faultOf(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? undefined : text.noObject;
  } catch (error) {
    return text.noJson(error instanceof Error ? error.message : String(error));
  }
}
