import type { Rig } from "@followspot/contract";
import { useEffect, useEffectEvent } from "react";
import { lampLevels, type LampLevels } from "./lamp-levels.ts";
import { useStageRig } from "./rig.queries.ts";
import { lampFeed, useLamps } from "./use-lamps.ts";

export interface FollowLevelsProps {
  /** Called whenever the output of the fixtures changes; undefined while it is unknown. */
  readonly onLevels: (levels: LampLevels | undefined) => void;
}

/** Tracks the brightness of the fixtures and renders nothing. */
export function FollowLevels({ onLevels }: FollowLevelsProps) {
  const { connection } = useLamps();
  const rig = useStageRig().data;
  return connection === "live" && rig ? <Levels rig={rig} onLevels={onLevels} /> : null;
}

function Levels({ rig, onLevels }: FollowLevelsProps & { readonly rig: Rig }) {
  const tell = useEffectEvent(onLevels);
  useEffect(() => {
    const read = lampLevels(rig, lampFeed.universes);
    const end = lampFeed.onFrame(() => tell(read()));
    return () => {
      end();
      tell(undefined);
    };
  }, [rig]);
  return null;
}
