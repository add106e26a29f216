import type { Rig } from "@followspot/contract";
import { useEffect, useEffectEvent } from "react";
import { lampLevels, type LampLevels } from "./lamp-levels.ts";
import { useStageRig } from "./rig.queries.ts";
import { lampFeed, useLamps } from "./use-lamps.ts";

export interface FollowLevelsProps {
  /** Told whenever lamps get other bytes; undefined while nothing is known of them. */
  readonly onLevels: (levels: LampLevels | undefined) => void;
}

/** Follows how bright the lamps are, and draws nothing itself. */
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
