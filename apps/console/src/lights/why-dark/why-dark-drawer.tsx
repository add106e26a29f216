import { useQuery } from "@connectrpc/connect-query";
import { LightsService, type Light, type LightGroup } from "@followspot/contract/lights";
import { Check, Minus, X } from "lucide-react";
import { useId } from "react";
import { useCan } from "../../auth/can.ts";
import { press, useDesk } from "../../desk/use-desk.ts";
import { useStageRig } from "../../lamps/rig.queries.ts";
import { plainErrorText } from "../../lib/errors.ts";
import { useOutputHealth, useOutputs } from "../../outputs/outputs.queries.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { sayWhy } from "../../ui/delete-dialog.tsx";
import { Drawer } from "../../ui/drawer.tsx";
import { Loading } from "../../ui/states.tsx";
import { useToggleLight } from "../lights.queries.ts";
import { lightStrings } from "../lights.strings.ts";
import { lostAt, stopsOf, type Fix, type Stop } from "./dark-stops.ts";
import { darkStrings as text } from "./why-dark.strings.ts";

const rpc = LightsService.method;
/** Interval between state requests to the stage while the drawer is open, ms. */
const ASK_EVERY_MS = 1000;
const HEALTH_EVERY_MS = 2000;

/** Diagnosis of a dark fixture: each stop of its signal path with the current state and, if possible, a fix. */
export function WhyDarkDrawer({
  light,
  groups,
  overlap,
  onEdit,
  onOutputs,
  onClose,
}: {
  readonly light: Light;
  /** Every light group. */
  readonly groups: readonly LightGroup[];
  /** Sentence about overlapping channels; undefined without an overlap. */
  readonly overlap: string | undefined;
  readonly onEdit: () => void;
  readonly onOutputs: () => void;
  readonly onClose: () => void;
}) {
  const can = useCan();
  useDesk(); // opens the connection that carries presses from this drawer
  const stage = useQuery(rpc.getLightOnStage, { id: light.id }, { refetchInterval: ASK_EVERY_MS, retry: false });
  const outputs = useOutputs();
  const health = useOutputHealth(HEALTH_EVERY_MS);
  const rig = useStageRig();
  const toggle = useToggleLight();
  const isKnown = (stage.isSuccess || stage.isError) && outputs.isSuccess && rig.isSuccess && !health.isPending;
  const stops = isKnown
    ? stopsOf({
        light,
        mode: rig.data.lights.find(({ id }) => id === light.id)?.mode,
        groups,
        overlap,
        outputs: outputs.data.outputs.filter(({ universe }) => universe === light.universe),
        health: health.data?.outputs ?? [],
        stage: stage.isError ? { why: plainErrorText(stage.error) } : stage.data,
      })
    : undefined;
  const act = (fix: Fix) => {
    if (fix.do === "press") press(fix.control, fix.value);
    else if (fix.do === "turn on") toggle.mutate(light, { onError: sayWhy });
    else if (fix.do === "edit") onEdit();
    else onOutputs();
  };
  const mayDo = (fix: Fix) => {
    if (fix.do === "press") return can("playOnStage");
    return fix.do === "outputs" ? can(rpc.listOutputs) : can(rpc.updateLight);
  };
  return (
    <Drawer
      title={text.title(light.label || lightStrings.noLabel)}
      onClose={onClose}
      above={stops && <Verdict light={light} end={lostAt(stops)} />}
    >
      {!stops ? (
        <Loading rows={6} />
      ) : (
        <ol aria-label={text.list} className="flex flex-col">
          {stops.map((stop) => (
            <StopRow key={stop.kind} stop={stop} onFix={stop.fix && mayDo(stop.fix) ? act : undefined} />
          ))}
        </ol>
      )}
    </Drawer>
  );
}

function Verdict({ light, end }: { readonly light: Light; readonly end: Stop | undefined }) {
  return (
    <p role="status" className="shrink-0 border-b px-4 py-3 text-sm wrap-anywhere">
      {end ? (
        <>
          <span className="text-muted">{text.lost}</span> <span className="font-medium">{end.says}</span>
        </>
      ) : (
        <>
          <span className="font-medium">{text.leaves}</span>{" "}
          <span className="text-muted">{text.stillDark(light.universe, light.dmxAddress, light.mode)}</span>
        </>
      )}
    </p>
  );
}

function StopRow({ stop, onFix }: { readonly stop: Stop; readonly onFix: ((fix: Fix) => void) | undefined }) {
  const titleId = useId();
  const { kind, says, isLost, isReached, fix } = stop;
  const isEnd = isLost && isReached;
  const [Icon, words] = !isReached ? [Minus, text.notReached] : isLost ? [X, text.ends] : [Check, text.passed];
  return (
    <li aria-labelledby={titleId} className="flex items-start gap-3 border-b px-4 py-2.5 last:border-b-0">
      <span className={cx("mt-0.5 shrink-0", isEnd ? "text-danger" : isReached ? "text-ok" : "text-muted")}>
        <Icon aria-hidden size={16} />
        <span className="sr-only">{words}</span>
      </span>
      <span className="min-w-0 flex-1">
        <span id={titleId} className={cx("block font-medium", !isReached && "text-muted")}>
          {text.stops[kind]}
          {!isReached && <span className="ml-2 text-xs font-normal text-muted">{text.notReached}</span>}
        </span>
        <span className="block text-xs wrap-anywhere text-muted tabular-nums">{says}</span>
      </span>
      {fix && onFix && (
        <Button variant={isEnd ? "primary" : undefined} aria-describedby={titleId} onClick={() => onFix(fix)}>
          {fix.words}
        </Button>
      )}
    </li>
  );
}
