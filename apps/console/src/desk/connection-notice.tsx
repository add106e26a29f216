import { useQuery } from "@connectrpc/connect-query";
import { MusicService } from "@followspot/contract/music";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useOutputTrouble } from "../outputs/use-output-trouble.ts";
import { Status } from "../ui/status.tsx";
import type { DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { forgetDropped, forgetRefusal } from "./use-desk.ts";

/** Shows whether presses reach the stage, and what was refused. */
export function ConnectionNotice({ view }: { readonly view: DeskView }) {
  const { connection, state, refusal, dropped } = view;
  const trouble = useOutputTrouble(state?.outputs === 0);
  return (
    <div className="flex flex-col gap-2">
      <div role="status" className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {connection === "live" && state ? (
          <>
            <Status tone="ok">{text.live}</Status>
            <span className="text-muted">
              {state.hands["sound"] ? (
                text.sound
              ) : state.mode === "playing" ? (
                <Playing songId={state.song_id} />
              ) : (
                text.nothingPlays
              )}
            </span>
            {trouble && (
              <span className="text-warn wrap-anywhere">
                {trouble}{" "}
                <Link to="/lights" search={{ open: "outputs" }} className="underline">
                  {text.outputs}
                </Link>
              </span>
            )}
          </>
        ) : (
          <span className="text-warn">{connectionText(view)}</span>
        )}
      </div>
      {dropped !== undefined && <Alert says={text.dropped[dropped]} onDismiss={forgetDropped} />}
      {refusal !== undefined && <Alert says={text.refused(refusal)} onDismiss={forgetRefusal} />}
    </div>
  );
}

function Alert({ says, onDismiss }: { readonly says: string; readonly onDismiss: () => void }) {
  return (
    <div role="alert" className="flex items-center gap-2 rounded-md border border-danger/60 bg-danger/10 pl-3">
      <p className="flex-1 py-2 text-sm text-danger wrap-anywhere">{says}</p>
      <button
        type="button"
        aria-label={text.dismiss}
        onClick={onDismiss}
        className="grid size-11 shrink-0 place-items-center text-muted"
      >
        <X aria-hidden size={18} />
      </button>
    </div>
  );
}

/** Shows the current song by its title, also while a console plays it. */
function Playing({ songId }: { readonly songId: string }) {
  const { data } = useQuery(MusicService.method.getSong, { songId }, { enabled: songId !== "" });
  return text.playing(data?.song?.title ?? "");
}

function connectionText({ connection, waiting }: DeskView): string {
  if (connection === "ended") return text.ended;
  if (connection === "connecting") return text.connecting;
  return waiting.size > 0 ? text.lostWaiting(waiting.size) : text.lost;
}
