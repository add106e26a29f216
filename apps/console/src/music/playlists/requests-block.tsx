import { MusicService, type SongRequest } from "@followspot/contract/music";
import { Check, X } from "lucide-react";
import { useCan } from "../../auth/can.ts";
import { errorText } from "../../lib/errors.ts";
import { Button } from "../../ui/button.tsx";
import { useRequestCalls, useSongRequests } from "./playlists.queries.ts";
import { playlistStrings } from "./playlists.strings.ts";

const text = playlistStrings.requests;

/** Song requests of members: those that need approval first, then those that cannot be played, with the reason. */
export function RequestsBlock() {
  const mayDecide = useCan()(MusicService.method.decideSongRequest);
  const { data, error } = useSongRequests(mayDecide);
  const calls = useRequestCalls();
  if (!data)
    return (
      error && <p role="alert" className="text-sm wrap-anywhere text-danger">{`${text.unread}: ${errorText(error)}`}</p>
    );
  const waiting = data.requests.filter(({ state }) => state === "waiting").toReversed();
  const failed = data.requests.filter(({ state, isReady, note }) => state === "taken" && !isReady && note !== "");
  if (data.playlistId === "" && waiting.length + failed.length === 0)
    return <p className="text-sm text-muted">{text.closed}</p>;
  if (waiting.length + failed.length === 0) return <p className="text-sm text-muted">{text.none}</p>;
  const decide = ({ id }: SongRequest, isTaken: boolean) => calls.decide.mutate({ requestId: id, isTaken });
  return (
    <ul className="flex flex-col divide-y">
      {waiting.map((request) => (
        <Row key={request.id} request={request}>
          <Button
            aria-label={text.take(nameOf(request))}
            title={text.take(nameOf(request))}
            onClick={() => decide(request, true)}
          >
            <Check aria-hidden size={14} />
          </Button>
          <Button
            variant="ghost"
            aria-label={text.refuse(nameOf(request))}
            title={text.refuse(nameOf(request))}
            onClick={() => decide(request, false)}
          >
            <X aria-hidden size={14} />
          </Button>
        </Row>
      ))}
      {failed.map((request) => (
        <Row key={request.id} request={request} fault={request.note} />
      ))}
    </ul>
  );
}

function Row({
  request,
  fault,
  children,
}: {
  readonly request: SongRequest;
  readonly fault?: string;
  readonly children?: React.ReactNode;
}) {
  const by = [request.artist, request.userName && text.by(request.userName)].filter(Boolean).join(" · ");
  return (
    <li className="flex items-center gap-2 py-1.5">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm">{nameOf(request)}</p>
        <p className="truncate text-xs text-muted">{by}</p>
        {fault && <p className="text-xs wrap-anywhere text-danger">{fault}</p>}
      </div>
      {children}
    </li>
  );
}

/** Strips the start that all links share. */
const nameOf = ({ title, link }: SongRequest) => title || link.replace(/^https:\/\/(www\.)?/, "");
