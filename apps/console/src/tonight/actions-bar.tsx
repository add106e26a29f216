import type { ShowQueue } from "@followspot/contract/music";
import { CircleOff, Disc3, Megaphone, Pause, Play, Power, SkipForward } from "lucide-react";
import { useState, type ReactNode } from "react";
import { shownValue } from "../desk/desk-connection.ts";
import { press, useDesk } from "../desk/use-desk.ts";
import { keysInWords } from "../lib/key-table.ts";
import { useKeys } from "../lib/use-keys.ts";
import { usePlaylistCalls } from "../music/playlists/playlists.queries.ts";
import { QUEUE_KEYS } from "../music/playlists/queue.keys.ts";
import { useQueueControls } from "../music/playlists/use-queue-controls.ts";
import { decibels } from "../music/playlists/playlists.strings.ts";
import { cx } from "../ui/class-names.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { AnnounceDialog } from "./announce-dialog.tsx";
import { TONIGHT_KEYS } from "./tonight.keys.ts";
import { tonightStrings } from "./tonight.strings.ts";

const text = tonightStrings.actions;

/** The main controls of the night as large buttons, each with a shortcut. */
export function ActionsBar({
  queue,
  eventId,
}: {
  readonly queue: ShowQueue | undefined;
  readonly eventId: string | undefined;
}) {
  const view = useDesk();
  const { stop, toggleWalkIn } = usePlaylistCalls();
  const { isOn, isPaused, togglePause, next: skip } = useQueueControls(queue);
  const [asks, setAsks] = useState<"announce" | "end" | "walkIn">();
  const isBlack = shownValue(view, "blackout") !== undefined;
  const next = queue?.next[0];
  const walkInDb = queue?.walkInDb;
  const walkIn = () => (walkInDb === undefined && isOn ? setAsks("walkIn") : toggleWalkIn.mutate());
  const actions = {
    announce: () => setAsks("announce"),
    walkIn,
    blackout: () => press("blackout", isBlack ? null : true),
  };
  useKeys(TONIGHT_KEYS, actions);
  return (
    <div
      role="group"
      aria-label={text.label}
      data-foot-buttons
      className="grid shrink-0 grid-cols-12 gap-2 border-t bg-surface p-3 sm:grid-cols-3 xl:grid-cols-[1.3fr_.72fr_1fr_.95fr_1.15fr_.9fr]"
    >
      <Big
        mark={<SkipForward aria-hidden size={20} />}
        name={text.next}
        hint={next ? text.nextHint(next.title || tonightStrings.untitled) : queue && text.nextNone}
        keyName={keysInWords(QUEUE_KEYS.next)}
        look="primary"
        className="max-sm:-order-2 max-sm:col-span-8"
        disabled={!isOn}
        onPress={skip}
      />
      <Big
        mark={isPaused ? <Play aria-hidden size={20} /> : <Pause aria-hidden size={20} />}
        name={isPaused ? text.resume : text.pause}
        isStacked
        className="max-sm:col-span-3"
        keyName={QUEUE_KEYS.pause.keys[0]}
        disabled={!isOn}
        onPress={togglePause}
      />
      <Big
        mark={<Megaphone aria-hidden size={20} />}
        name={text.announce}
        hint={text.announceHint}
        isStacked
        className="max-sm:col-span-3"
        keyName={keysInWords(TONIGHT_KEYS.announce)}
        onPress={actions.announce}
      />
      <Big
        mark={<Disc3 aria-hidden size={20} />}
        name={text.walkIn}
        hint={walkInDb === undefined ? text.walkInHint : text.walkInOn(decibels(walkInDb))}
        keyName={keysInWords(TONIGHT_KEYS.walkIn)}
        look={walkInDb === undefined ? "plain" : "on"}
        isPressed={walkInDb !== undefined}
        isStacked
        className="max-sm:col-span-3"
        onPress={actions.walkIn}
      />
      <Big
        mark={<CircleOff aria-hidden size={20} />}
        name={isBlack ? text.lightsOn : text.blackout}
        hint={text.blackoutHint}
        isStacked
        className="max-sm:-order-1 max-sm:col-span-4"
        keyName={keysInWords(TONIGHT_KEYS.blackout)}
        look={isBlack ? "danger" : "quiet-danger"}
        isPressed={isBlack}
        onPress={actions.blackout}
      />
      <Big
        mark={<Power aria-hidden size={20} />}
        name={text.end}
        hint={text.endHint}
        isStacked
        className="max-sm:col-span-3"
        disabled={!isOn && !queue?.note}
        onPress={() => setAsks("end")}
      />
      {asks === "announce" && <AnnounceDialog eventId={eventId} onClose={() => setAsks(undefined)} />}
      <ConfirmDialog
        open={asks === "walkIn"}
        title={text.walkIn}
        message={text.walkInQuestion}
        confirmLabel={text.walkInGo}
        pending={toggleWalkIn.isPending}
        onConfirm={() => toggleWalkIn.mutate(undefined, { onSettled: () => setAsks(undefined) })}
        onClose={() => setAsks(undefined)}
      />
      <ConfirmDialog
        open={asks === "end"}
        title={text.end}
        message={text.endQuestion}
        confirmLabel={text.end}
        pending={stop.isPending}
        onConfirm={() => stop.mutate({}, { onSettled: () => setAsks(undefined) })}
        onClose={() => setAsks(undefined)}
      />
    </div>
  );
}

const LOOKS = {
  plain: "border-border bg-raised hover:border-muted",
  on: "border-accent bg-accent/20",
  primary: "border-transparent bg-accent text-accent-fg",
  danger: "border-danger bg-danger text-accent-fg",
  "quiet-danger": "border-border bg-raised text-danger hover:border-danger",
} as const;

function Big({
  mark,
  name,
  hint = "",
  keyName,
  look = "plain",
  isPressed,
  isStacked = false,
  disabled = false,
  className,
  onPress,
}: {
  readonly mark: ReactNode;
  readonly name: string;
  readonly hint?: string | undefined;
  readonly keyName?: string;
  readonly look?: keyof typeof LOOKS;
  readonly isPressed?: boolean;
  /** Whether the label is below the icon, on phones. */
  readonly isStacked?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly onPress: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      aria-keyshortcuts={keyName}
      disabled={disabled}
      onClick={onPress}
      className={cx(
        "flex min-h-14 min-w-0 items-center gap-2.5 rounded-lg border px-3 text-left touch-manipulation disabled:opacity-50",
        LOOKS[look],
        isStacked && "max-sm:flex-col max-sm:justify-center max-sm:gap-1 max-sm:px-1 max-sm:text-center",
        className,
      )}
    >
      {mark}
      <span className={cx("min-w-0", isStacked ? "sm:flex-1" : "flex-1")}>
        <span
          className={cx("block font-semibold", isStacked ? "text-xs sm:truncate sm:text-base" : "truncate text-base")}
        >
          {name}
        </span>
        {hint && <span className={cx("block truncate text-xs", look !== "primary" && "max-sm:hidden")}>{hint}</span>}
      </span>
      {keyName && (
        <kbd aria-hidden className="rounded border border-current/30 px-1.5 text-xs max-md:hidden">
          {keyName}
        </kbd>
      )}
    </button>
  );
}
