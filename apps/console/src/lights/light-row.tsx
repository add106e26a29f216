import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import type { Light } from "@followspot/contract/lights";
import { GripVertical } from "lucide-react";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { ActionsCell, Cell, Row } from "../ui/table.tsx";
import { dmxRange, typeWords } from "./light-rules.ts";
import { useToggleLight } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";

export function LightRow({
  light,
  place,
  canMove,
  onEdit,
  onDelete,
}: {
  readonly light: Light;
  /** 1-based row in stage order. */
  readonly place: number;
  readonly canMove: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const toggle = useToggleLight();
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: light.id,
    disabled: !canMove,
  });
  const label = light.label || text.noLabel;
  const labelId = `light-${light.id}`;
  return (
    <Row
      ref={setNodeRef}
      className={cx("h-10", isDragging && "relative z-10 bg-raised shadow-lg")}
      style={{ transform: CSS.Translate.toString(transform), transition: transition }}
    >
      <Cell className="w-10 pr-0">
        <button
          type="button"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          aria-label={text.drag(label)}
          className="grid size-7 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-raised hover:text-fg disabled:opacity-40"
          disabled={!canMove}
        >
          <GripVertical aria-hidden size={14} />
        </button>
      </Cell>
      <Cell className="min-w-40">
        <span className="text-muted">#{place}</span>{" "}
        <span id={labelId} className="font-medium wrap-anywhere">
          {label}
        </span>{" "}
        {light.position && (
          <span className="text-xs whitespace-nowrap text-muted">{text.position(light.position)}</span>
        )}
      </Cell>
      <Cell className="font-mono text-xs whitespace-nowrap">
        {dmxRange(light.dmxAddress, light.channelCount)}
        {light.universe > 1 && <span className="ml-2 text-muted">{text.universe(light.universe)}</span>}
      </Cell>
      <Cell className="whitespace-nowrap">{typeWords(light.lightType)}</Cell>
      <Cell>
        <span className="block max-w-36 truncate text-muted" title={light.mode}>
          {light.mode}
        </span>
      </Cell>
      <Cell>
        <button
          type="button"
          aria-describedby={labelId}
          disabled={toggle.isPending}
          onClick={() => toggle.mutate({ id: light.id, enabled: !light.enabled })}
          className="inline-flex h-7 items-center gap-2 rounded-md px-1 hover:bg-raised disabled:cursor-not-allowed disabled:opacity-50"
        >
          <span
            aria-hidden
            className={cx(
              "flex h-4 w-7 items-center rounded-full p-0.5 transition-colors",
              light.enabled ? "bg-ok/50" : "bg-border",
            )}
          >
            <span
              className={cx(
                "size-3 rounded-full transition-transform",
                light.enabled ? "translate-x-3 bg-ok" : "bg-muted",
              )}
            />
          </span>
          {light.enabled ? text.on : text.off}
        </button>
      </Cell>
      <ActionsCell>
        <Button aria-describedby={labelId} onClick={onEdit}>
          {strings.edit}
        </Button>
        <Button variant="danger" aria-describedby={labelId} onClick={onDelete}>
          {strings.delete}
        </Button>
      </ActionsCell>
    </Row>
  );
}
