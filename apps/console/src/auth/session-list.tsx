import { useMutation, useQuery } from "@connectrpc/connect-query";
import { AuthService, type Session } from "@followspot/contract/auth";
import { relativeTime, toDate } from "../lib/formatting.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { DialogActions, DialogBody } from "../ui/dialog.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { authStrings } from "./auth.strings.ts";

const rpc = AuthService.method;
const text = authStrings.sessions;

/**
 * Lists a user's sessions; each can be ended, or all except this one at once.
 * @param userId ID of the user; empty for the signed-in user
 */
export function SessionList({ userId }: { readonly userId: string }) {
  const { data, isPending, isError, error, refetch } = useQuery(rpc.listSessions, { userId }, { staleTime: 0 });
  const settled = { onSettled: () => void refetch(), onError: sayWhy };
  const end = useMutation(rpc.endSession, settled);
  const endAll = useMutation(rpc.signOutEverywhere, {
    ...settled,
    onSuccess: ({ ended }) => showToast(text.ended(ended)),
  });
  const sessions = (data?.sessions ?? []).toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <>
      <DialogBody>
        {isPending && <Loading rows={3} />}
        {isError && !data && <ErrorState prefix={text.loadError} error={error} onRetry={() => void refetch()} />}
        {data && sessions.length === 0 && <p className="text-sm text-muted">{text.none}</p>}
        <ul className="flex flex-col">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={end.isPending && end.variables.sessionId === session.id}
              onEnd={() => end.mutate({ sessionId: session.id })}
            />
          ))}
        </ul>
      </DialogBody>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <DialogActions>
          <Button large variant="danger" pending={endAll.isPending} onClick={() => endAll.mutate({ userId })}>
            {sessions.some(({ isCurrent }) => isCurrent) ? text.endOthers : text.endAll}
          </Button>
        </DialogActions>
      )}
    </>
  );
}

interface RowProps {
  readonly session: Session;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: RowProps) {
  const since = toDate(session.createdAt);
  const name = session.client || text.unknownClient;
  return (
    <li className="flex min-h-12 items-center gap-3 border-b py-1.5 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm">{name}</p>
        <p className="truncate text-xs text-muted">
          {[session.note, since && relativeTime(since)].filter(Boolean).join(" · ")}
        </p>
      </div>
      {session.isCurrent ? (
        <span className="text-xs text-muted">{text.current}</span>
      ) : (
        <Button aria-label={text.endOne(name)} pending={isEnding} onClick={onEnd}>
          {text.end}
        </Button>
      )}
    </li>
  );
}
