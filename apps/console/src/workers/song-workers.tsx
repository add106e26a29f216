import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useMutation, useQuery } from "@connectrpc/connect-query";
import { QueuesService, type Worker, type WorkerTask } from "@followspot/contract/queues";
import { Ban, Pencil, Play, Plus } from "lucide-react";
import { useId, useState } from "react";
import { errorSentence, isDenied } from "../lib/errors.ts";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Progress } from "../ui/progress.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { showToast } from "../ui/toast.tsx";
import { AddWorker, RenameWorker } from "./name-worker.tsx";
import { songWorkersStrings as text } from "./song-workers.strings.ts";
import { POLLED, useRefresh } from "./workers.queries.ts";

const TONES: Readonly<Record<string, Tone>> = { works: "busy", waits: "ok", aside: "bad", away: "wait", new: "off" };
const ALL_STEPS = 4;

/** Workers that process songs: the server's own, and remote ones, which users add and revoke. */
export function SongWorkers() {
  const heading = useId();
  const [isAdding, setAdding] = useState(false);
  const since = startOfToday();
  const { data, error } = useQuery(QueuesService.method.listWorkers, { since }, POLLED);
  if (isDenied(error) || (!data && !error)) return null; // the failures section below explains missing permission
  const isAlone = data && !data.workers.some(({ isOwn }) => !isOwn);
  return (
    <section aria-labelledby={heading} className="shrink-0 rounded-lg border border-border bg-surface">
      <header className="flex items-center justify-between gap-3 border-b border-border py-1.5 pr-2 pl-4">
        <h2 id={heading} className="text-sm font-semibold">
          {text.title}
        </h2>
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden size={14} /> {text.add}
        </Button>
      </header>
      {error && !data && <p className="px-4 py-3 text-warn">{text.unread(errorSentence(error))}</p>}
      <ul>
        {data?.workers.map((worker) => (
          <WorkerRow key={worker.id} worker={worker} />
        ))}
      </ul>
      {isAlone && (
        <p className="px-4 py-3 text-sm text-muted">
          <span className="font-medium text-fg">{text.alone}</span> {text.aloneHint}
        </p>
      )}
      {isAdding && <AddWorker onClose={() => setAdding(false)} />}
    </section>
  );
}

const startOfToday = () => timestampFromDate(new Date(new Date().setHours(0, 0, 0, 0)));

function WorkerRow({ worker }: { readonly worker: Worker }) {
  const { name, isOwn, state, version, cores, says, tasks, songsDone, steps } = worker;
  const seenAt = toDate(worker.seenAt);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-border px-4 py-3 last:border-b-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-medium wrap-anywhere">{isOwn ? text.own : name}</span>
          <Status tone={TONES[state] ?? "off"}>
            {state === "away" && seenAt ? (
              <time dateTime={seenAt.toISOString()} title={dateTime(seenAt)}>
                {text.notSeen(relativeTime(seenAt))}
              </time>
            ) : (
              (text.states[state] ?? state)
            )}
          </Status>
          <span className="flex flex-wrap gap-x-3 text-xs text-muted">
            {version && <span>{text.version(version)}</span>}
            {cores > 0 && <span>{text.cores(cores)}</span>}
            {steps.length > 0 && steps.length < ALL_STEPS && (
              <span>{text.onlySteps(steps.map((step) => text.steps[step] ?? step))}</span>
            )}
            <span>{text.songsToday(songsDone)}</span>
          </span>
        </p>
        {says && (
          <p className={state === "aside" ? "text-sm wrap-anywhere text-danger" : "text-sm wrap-anywhere text-warn"}>
            {says}
          </p>
        )}
        {tasks.map((task) => (
          <TaskLine key={`${task.songId} ${task.step}`} task={task} />
        ))}
      </div>
      {!isOwn && <WorkerActions worker={worker} />}
    </li>
  );
}

function TaskLine({ task: { step, title, note, progress } }: { readonly task: WorkerTask }) {
  const word = text.steps[step] ?? step;
  return (
    <div className="flex max-w-xl flex-col gap-1">
      <p className="text-xs wrap-anywhere">{text.at(word, title, note)}</p>
      <Progress label={text.progressOf(word, title)} value={progress} />
    </div>
  );
}

function WorkerActions({ worker: { id, name, state } }: { readonly worker: Worker }) {
  const [asks, setAsks] = useState<"" | "rename" | "revoke">("");
  const refresh = useRefresh();
  const letWork = useMutation(QueuesService.method.letWorkerWork, { onSettled: refresh });
  const revoke = useMutation(QueuesService.method.revokeWorker, {
    onSuccess: () => {
      refresh();
      setAsks("");
      showToast(text.revoked(name));
    },
  });
  const close = () => setAsks("");
  return (
    <div className="flex flex-wrap gap-2">
      {state === "aside" && (
        <Button
          aria-label={text.letWorkOf(name)}
          aria-busy={letWork.isPending}
          onClick={() => letWork.isPending || letWork.mutate({ workerId: id })}
        >
          <Play aria-hidden size={14} /> {text.letWork}
        </Button>
      )}
      <Button aria-label={text.renameOf(name)} onClick={() => setAsks("rename")}>
        <Pencil aria-hidden size={14} /> {text.rename}
      </Button>
      <Button variant="danger" aria-label={text.revokeOf(name)} onClick={() => (revoke.reset(), setAsks("revoke"))}>
        <Ban aria-hidden size={14} /> {text.revoke}
      </Button>
      {letWork.isError && (
        <span role="alert" className="w-full text-xs text-danger">
          {text.letWorkFailed(errorSentence(letWork.error))}
        </span>
      )}
      {asks === "rename" && <RenameWorker id={id} name={name} onClose={close} />}
      {asks === "revoke" && (
        <ConfirmDialog
          open
          title={text.revokeTitle(name)}
          message={text.revokeMessage}
          confirmLabel={text.revokeLabel}
          pending={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ workerId: id })}
          onClose={close}
        />
      )}
    </div>
  );
}
