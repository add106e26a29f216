import { Link, useLocation } from "@tanstack/react-router";
import { CircleOff, SlidersVertical } from "lucide-react";
import { useEffect, type KeyboardEvent } from "react";
import { useCan } from "../auth/can.ts";
import { isPressOfControl } from "../lib/key-target.ts";
import { cx } from "../ui/class-names.ts";
import { showToast } from "../ui/toast.tsx";
import { shownValue } from "./desk-connection.ts";
import { ownerText } from "./desk-button.tsx";
import { deskStrings as text } from "./desk.strings.ts";
import { forgetDropped, press, useDesk } from "./use-desk.ts";

/**
 * Blackout button of every page, a link to the desk, and discarded presses, which the desk page shows itself. Empty for
 * users who may not control the stage.
 */
export function DeskHeader() {
  return useCan()("playOnStage") ? <Buttons /> : null;
}

function Buttons() {
  const view = useDesk();
  const isBlack = shownValue(view, "blackout") !== undefined;
  const owner = ownerText(view, "blackout");
  const isAway = view.connection !== "live";
  const isAtDesk = useLocation({ select: ({ pathname }) => pathname.endsWith("/desk") });
  const unsaid = isAtDesk ? undefined : view.dropped;
  useEffect(() => {
    if (unsaid === undefined) return;
    showToast(text.dropped[unsaid], { bad: true });
    forgetDropped();
  }, [unsaid]);
  return (
    <span className="flex shrink-0 items-center gap-1">
      <Link
        to="/desk"
        aria-label={text.open}
        title={isAway ? text.lost : text.open}
        className="grid size-8 place-items-center rounded-md text-muted hover:bg-raised hover:text-fg"
      >
        <SlidersVertical aria-hidden size={16} />
      </Link>
      <button
        type="button"
        aria-pressed={isBlack}
        title={isBlack ? text.blackoutBy(owner) : isAway ? text.lost : undefined}
        // Act on pointer down, because delay matters in the dark. Key presses have no pointer event.
        onPointerDown={({ button }) => button === 0 && press("blackout", isBlack ? null : true)}
        onClick={({ detail }) => detail === 0 && press("blackout", isBlack ? null : true)}
        // A mouse press leaves the focus where it is: Space on another screen would repeat the press.
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={keepFromSpace}
        onKeyUp={keepFromSpace}
        className={cx(
          "flex h-8 items-center gap-1.5 rounded-md border px-2 text-xs font-medium touch-manipulation",
          isBlack ? "border-danger bg-danger text-accent-fg" : "text-danger hover:border-danger",
          isAway && "border-dashed",
        )}
      >
        <CircleOff aria-hidden size={14} />
        <span className="max-sm:sr-only">{text.blackout}</span>
        {isBlack && <span className="max-w-24 truncate font-normal max-md:sr-only">{owner}</span>}
      </button>
    </span>
  );
}

/** Ignores Space unless the keyboard moved the focus to the button. */
const keepFromSpace = (event: KeyboardEvent): void => {
  if (event.key === " " && !isPressOfControl(event)) event.preventDefault();
};
