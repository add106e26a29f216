import { timestampMs } from "@bufbuild/protobuf/wkt";
import { DirectorService, type StageScreen } from "@followspot/contract/director";
import { X } from "lucide-react";
import type { ServerClock } from "../lib/server-clock.ts";
import { useStore } from "../lib/store.ts";
import { liveState } from "../realtime/live-state.ts";
import { Countdown } from "../ui/countdown.tsx";
import type { Presses } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { PressButton } from "./press-button.tsx";

const rpc = DirectorService.method;

/** Current view of the stage screen with the most urgent buttons. It stays visible while the page scrolls. */
export function OnStage({
  screen,
  clock,
  presses,
}: {
  readonly screen: StageScreen;
  readonly clock: ServerClock;
  readonly presses: Presses;
}) {
  const live = useStore(liveState);
  const { view, talkId, announcementEndsAt, timerEndsAt, status } = screen;
  // A press that removes something applies to the seen view; the server rejects it if another Director changed the screen.
  const seen = { ifRevision: screen.revision };
  const ends = [
    view === "announcement" && {
      name: "take down",
      label: text.takeDown,
      end: () => presses.press("take down", rpc.endAnnouncement, seen),
    },
    (talkId || view === "talk") && {
      name: "end talk",
      label: text.endTalk,
      end: () => presses.press("end talk", rpc.endTalk, seen),
    },
    timerEndsAt && {
      name: "stop timer",
      label: text.stopTimer,
      end: () => presses.press("stop timer", rpc.stopTimer, seen),
    },
  ].filter((each) => typeof each === "object");
  const isQuiet = live !== "live";
  return (
    <section
      aria-label={text.now}
      className="sticky top-0 z-10 flex flex-col gap-2 rounded-lg border border-accent/60 bg-surface p-3 shadow-lg shadow-black/40"
    >
      <div aria-live="polite" className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="text-xs text-muted">
            {text.now} · <span className="font-semibold text-accent">{text.views[view] ?? view}</span>
            {announcementEndsAt && (
              <>
                {" "}
                · {text.endsIn} <Countdown endsAt={timestampMs(announcementEndsAt)} clock={clock} over="0:00" />
              </>
            )}
          </p>
          <p className="line-clamp-2 text-lg font-semibold wrap-anywhere" dir="auto">
            {shownText(screen)}
          </p>
          {talkId && view !== "talk" && (
            <p className="truncate text-sm text-muted">{text.behindView(screen.talkTitle || text.untitled)}</p>
          )}
          {status && (
            <p className="truncate text-sm text-muted" dir="auto">
              {status}
            </p>
          )}
        </div>
        {timerEndsAt && (
          <Countdown
            className="text-2xl font-semibold tabular-nums [&_[data-over=true]]:text-base [&_[data-over=true]]:text-warn"
            endsAt={timestampMs(timerEndsAt)}
            clock={clock}
            over={text.timeIsUp}
          />
        )}
      </div>
      {isQuiet && <p className="text-sm text-warn">{text.behind}</p>}
      {presses.refusal !== undefined && (
        <div role="alert" className="flex items-center gap-2 rounded-md border border-danger/60 bg-danger/10 pl-3">
          <p className="flex-1 py-2 text-sm text-danger wrap-anywhere">{text.failed(presses.refusal)}</p>
          <button
            type="button"
            aria-label={text.dismiss}
            onClick={presses.dismiss}
            className="grid size-11 shrink-0 place-items-center text-muted"
          >
            <X aria-hidden size={18} />
          </button>
        </div>
      )}
      <div className="flex flex-wrap gap-2 *:grow">
        <PressButton name="home" look="primary" presses={presses} onPress={() => presses.press("home", rpc.goHome)}>
          {text.home}
        </PressButton>
        <PressButton
          name="leaderboard"
          presses={presses}
          onPress={() => presses.press("leaderboard", rpc.showLeaderboard)}
        >
          {text.leaderboard}
        </PressButton>
        {ends.map(({ name, label, end }) => (
          <PressButton key={name} name={name} look="warn" presses={presses} onPress={end}>
            {label}
          </PressButton>
        ))}
      </div>
    </section>
  );
}

function shownText({ view, announcement, talkTitle, playerName }: StageScreen): string {
  if (view === "announcement") return announcement;
  if (view === "talk") return talkTitle || text.untitled;
  if (view === "player") return playerName || text.unknownPlayer;
  return text.views[view] ?? view;
}
