import type { LightingPlan } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { useCan } from "../../auth/can.ts";
import { errorSentence } from "../../lib/errors.ts";
import { targetLabel } from "../timeline/timeline-layout.ts";
import type { PreviewRig } from "../visualizer.queries.ts";
import { visualizerStrings as text } from "../visualizer.strings.ts";
import { unplannedRoles } from "@followspot/lighting";
import { buttonLook, NOTICE } from "../look.ts";

interface PlanNoticeProps {
  /** Reason why there is no plan; undefined with a plan. */
  readonly problem: string | undefined;
  readonly onReadPlan: () => void;
  readonly plan: LightingPlan | undefined;
  readonly rig: PreviewRig;
  readonly isPlanning: boolean;
  readonly onPlanAgain: () => void;
  /** Error of the request to plan the song again; undefined if there is none. */
  readonly refusal: unknown;
}

/** Notice about a plan that is missing or older than the rig, with a button to fix it. */
export function PlanNotice({ problem, onReadPlan, plan, rig, isPlanning, onPlanAgain, refusal }: PlanNoticeProps) {
  const can = useCan();
  if (problem) {
    return (
      <p role="alert" className={NOTICE}>
        {problem}
        <button type="button" className={buttonLook()} onClick={onReadPlan}>
          {text.retry}
        </button>
      </p>
    );
  }
  const roles = plan && !rig.standsIn ? unplannedRoles(plan, rig.rig) : [];
  if (roles.length === 0 || isPlanning) return null;
  const names = roles.map((role) => targetLabel(`role:${role}`, new Map())).join(", ");
  const mayPlan = can(MusicService.method.retrySong);
  return (
    <p role="status" className={NOTICE}>
      <span>
        {text.planOld(names)} {refusal ? text.notPlanned(errorSentence(refusal)) : !mayPlan && text.askAdmin}
      </span>
      {mayPlan && (
        <button type="button" className={buttonLook()} onClick={onPlanAgain}>
          {text.planAgain}
        </button>
      )}
    </p>
  );
}
