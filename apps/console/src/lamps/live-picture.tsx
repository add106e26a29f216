import type { Rig } from "@followspot/contract";
import { litByBytes } from "@followspot/lighting";
import { Link } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { errorSentence } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { stage3dStrings } from "../stage-3d/stage-3d.strings.ts";
import type { StageLook } from "../stage-3d/stage-look.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { lampStrings as text } from "./lamps.strings.ts";
import { useStageRig } from "./rig.queries.ts";
import type { StagePlace } from "./shown-places.ts";
import { StageDrawing } from "./stage-drawing.tsx";
import { lampFeed, useLamps, type LampsSeen } from "./use-lamps.ts";

export interface LivePictureProps {
  readonly look: StageLook;
  readonly onLost: () => void;
  /** Whether 3D is selected, but not supported by this browser. */
  readonly isMissing: boolean;
  /** Whether the stage can be viewed from several sides. */
  readonly hasViews: boolean;
  readonly place: StagePlace;
}

/** Draws the stage from live DMX values, or explains why there is nothing to draw. */
export function LivePicture({ look, onLost, isMissing, hasViews, place }: LivePictureProps) {
  const view = useLamps();
  const rig = useStageRig();
  if (!rig.data) {
    if (!rig.isError) return <Middle>{strings.loading}</Middle>;
    return (
      <Middle isAlert>
        {text.noRig(errorSentence(rig.error))} <Button onClick={() => void rig.refetch()}>{strings.retry}</Button>
      </Middle>
    );
  }
  if (!rig.data.lights.some(({ enabled }) => enabled))
    return (
      <Middle>
        {text.noLamps}{" "}
        {place === "lights" ? (
          text.addBelow
        ) : (
          <Link to="/lights" className={LINK}>
            {text.toLights}
          </Link>
        )}
      </Middle>
    );
  const { connection } = view;
  const lost = connection === "lost" || connection === "ended" || connection === "away" ? text[connection] : undefined;
  return (
    <>
      <div
        className={cx(
          "absolute inset-x-0 bottom-0",
          // The row of fixtures is placed below the switch.
          look === "3d" ? "top-0" : place === "desk" ? "top-14" : "top-9",
          lost && "opacity-30",
        )}
      >
        <Lit rig={rig.data} look={look} onLost={onLost} hasViews={hasViews} />
      </div>
      {lost && <Middle>{lost}</Middle>}
      <figcaption className="pointer-events-none absolute bottom-1.5 left-3 flex max-w-full flex-wrap gap-x-3 pr-3 text-xs text-muted">
        {!lost && <Caption view={view} rig={rig.data} place={place} />}
        {isMissing && <span className="text-warn">{stage3dStrings.missing}</span>}
      </figcaption>
    </>
  );
}

const LINK = "pointer-events-auto text-accent underline underline-offset-2";

function Lit({ rig, ...drawing }: { readonly rig: Rig } & Pick<LivePictureProps, "look" | "onLost" | "hasViews">) {
  const lit = useMemo(() => litByBytes(rig, lampFeed.universes), [rig]);
  return <StageDrawing rig={rig} lit={lit} isFed clock={lampFeed} {...drawing} />;
}

/** Caption for states the picture cannot show: DMX is paused, nothing is sent, or some universes have no output. */
function Caption({
  view: { connection, isSending, isPreview, universes = [] },
  rig,
  place,
}: {
  readonly view: LampsSeen;
  readonly rig: Rig;
  readonly place: StagePlace;
}) {
  if (connection === "connecting") return <span role="status">{text.connecting}</span>;
  if (!isSending) return <span role="status">{text.silent}</span>;
  const deaf = rig.lights.filter(({ enabled, universe }) => enabled && !universes.includes(universe));
  if (deaf.length === 0 && !isPreview) return <span>{text.sent}</span>;
  return (
    <span role="status" className="text-warn">
      {isPreview ? text.unsent : text.deaf(deaf.length, [...new Set(deaf.map(({ universe }) => universe))])}{" "}
      {place !== "lights" && (
        <Link to="/lights" className={LINK}>
          {text.toOutputs}
        </Link>
      )}
    </span>
  );
}

function Middle({ children, isAlert = false }: { readonly children: ReactNode; readonly isAlert?: boolean }) {
  return (
    <div
      role={isAlert ? "alert" : "status"}
      className="absolute inset-0 flex flex-wrap content-center items-center justify-center gap-x-2 gap-y-1 px-4 pt-8 text-center text-sm text-fg"
    >
      {children}
    </div>
  );
}
