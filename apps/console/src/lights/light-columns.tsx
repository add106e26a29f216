import { LightsService, type Light } from "@followspot/contract/lights";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "../ui/class-names.ts";
import { DragHandle } from "../ui/drag-order.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { dmxRange, typeWords } from "./light-rules.ts";
import { useToggleLight } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";
import { patchStrings } from "./patch.strings.ts";

/**
 * Builds the columns of the light table.
 *
 * @param placeOf   1-based place of a light in stage order
 * @param overlapOf sentence about overlapping channels; undefined without an overlap
 */
export const lightColumns = (
  placeOf: (light: Light) => number,
  overlapOf: (light: Light) => string | undefined,
  actions: (light: Light, isNarrow: boolean) => ReactNode,
): readonly TableColumn<Light>[] => [
  {
    id: "move",
    head: text.columns.move,
    isHeadHidden: true,
    width: 44,
    narrow: "lead",
    cell: ({ label }) => <DragHandle name={label || text.noLabel} />,
  },
  {
    id: "light",
    head: text.columns.light,
    width: { min: 170, share: 3 },
    narrow: "title",
    sort: "label",
    cell: (light) => (
      <span className="flex items-baseline gap-1.5">
        <span className="text-muted">#{placeOf(light)}</span>
        <span id={rowTitleId(String(light.id))} className="min-w-0 truncate font-medium">
          {light.label || text.noLabel}
        </span>
        {light.position && <span className="shrink-0 text-xs text-muted">{text.position(light.position)}</span>}
      </span>
    ),
    csv: ({ label }) => label,
  },
  {
    id: "dmx",
    head: text.columns.dmx,
    width: 180,
    hideBelow: 700,
    sort: "address",
    cell: (light) => {
      const overlap = overlapOf(light);
      return (
        <span className={cx("flex items-center gap-1 font-mono text-xs", overlap && "text-danger")} title={overlap}>
          <span className="truncate">
            {dmxRange(light.dmxAddress, light.channelCount)}
            {light.universe > 1 && <span className="ml-2 text-muted">{text.universe(light.universe)}</span>}
          </span>
          {overlap && (
            <>
              <TriangleAlert aria-hidden size={13} className="shrink-0" />
              <span className="sr-only">{overlap}</span>
            </>
          )}
        </span>
      );
    },
    csv: ({ dmxAddress, channelCount }) => dmxRange(dmxAddress, channelCount),
  },
  {
    id: "type",
    head: text.columns.type,
    width: { min: 110, share: 1 },
    hideBelow: 860,
    cell: ({ lightType }) => <span className="block truncate">{typeWords(lightType)}</span>,
    csv: ({ lightType }) => lightType,
  },
  {
    id: "mode",
    head: text.columns.mode,
    width: { min: 110, share: 1 },
    hideBelow: 980,
    cell: ({ mode }) => (
      <span className="block truncate text-muted" title={mode}>
        {mode}
      </span>
    ),
    csv: ({ mode }) => mode,
  },
  {
    id: "groups",
    head: patchStrings.groupsHead,
    width: { min: 110, share: 1 },
    hideBelow: 1100,
    cell: ({ groups }) => (
      <span className="block truncate font-mono text-xs text-muted" title={groups.join(", ")}>
        {groups.join(", ")}
      </span>
    ),
    csv: ({ groups }) => groups.join(" "),
  },
  {
    id: "status",
    head: strings.status,
    width: 96,
    narrow: "line",
    cell: (light, isNarrow) => <LightSwitch light={light} isNarrow={isNarrow} />,
    csv: ({ enabled }) => (enabled ? text.on : text.off),
  },
  { id: "actions", head: strings.actions, width: 270, align: "end", narrow: "actions", cell: actions },
];

function LightSwitch({ light, isNarrow }: { readonly light: Light; readonly isNarrow: boolean }) {
  const toggle = useToggleLight();
  const mayTurn = useCan()(LightsService.method.updateLight);
  return (
    <button
      type="button"
      aria-describedby={rowTitleId(String(light.id))}
      disabled={toggle.isPending || !mayTurn}
      onClick={() => toggle.mutate(light)}
      className={cx(
        "inline-flex h-7 items-center rounded-md px-1 hover:bg-raised disabled:cursor-not-allowed disabled:opacity-50",
        isNarrow ? "-ml-1 gap-1" : "gap-2",
      )}
    >
      <span
        aria-hidden
        className={cx(
          "flex h-4 w-7 items-center rounded-full p-0.5 transition-colors",
          light.enabled ? "bg-ok/50" : "bg-border",
        )}
      >
        <span
          className={cx("size-3 rounded-full transition-transform", light.enabled ? "translate-x-3 bg-ok" : "bg-muted")}
        />
      </span>
      {light.enabled ? text.on : text.off}
    </button>
  );
}
