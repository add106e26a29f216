import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from "@dnd-kit/core";
import { arrayMove, SortableContext, verticalListSortingStrategy } from "@dnd-kit/sortable";
import type { Light } from "@followspot/contract/lights";
import { useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Progress } from "../ui/progress.tsx";
import { HeadCell, Table, TableFrame } from "../ui/table.tsx";
import { showToast } from "../ui/toast.tsx";
import { LightRow } from "./light-row.tsx";
import { ReorderError, useReorderLights, type ReorderProgress } from "./lights.queries.ts";
import { lightStrings as text } from "./lights.strings.ts";

/** Lights in stage order, moved by pointer or keyboard. A filtered table cannot be reordered. */
export function LightsTable({
  lights,
  shown,
  refreshing,
  onEdit,
  onDelete,
}: {
  /** All of them, in stage order. */
  readonly lights: readonly Light[];
  readonly shown: readonly Light[];
  readonly refreshing: boolean;
  readonly onEdit: (light: Light) => void;
  readonly onDelete: (light: Light) => void;
}) {
  const [progress, setProgress] = useState<ReorderProgress>();
  const reorder = useReorderLights(setProgress);
  // Without a coordinate getter an arrow key moves 25 px, and auto-scroll keeps its 5 ms and 10.
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor));
  const canMove = !reorder.isPending && shown.length === lights.length;

  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    const from = lights.findIndex(({ id }) => id === active.id);
    const to = lights.findIndex(({ id }) => id === over.id);
    reorder.mutate(arrayMove([...lights], from, to), {
      onSettled: () => setProgress(undefined),
      onError: (error) => showToast(describe(error), { bad: true }),
    });
  };

  return (
    <>
      {reorder.isPending && (
        <div
          role="status"
          className="flex shrink-0 flex-col gap-1.5 rounded-lg border border-accent bg-surface px-3 py-2"
        >
          {text.saving}
          <Progress label={text.saving} value={progress ? progress.done / progress.total : 0} />
        </div>
      )}
      <TableFrame whole label={text.title} refreshing={refreshing}>
        <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
          <SortableContext items={shown.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
            <Table>
              <thead>
                <tr>
                  <HeadCell>
                    <span className="sr-only">{text.columns.move}</span>
                  </HeadCell>
                  <HeadCell>{text.columns.light}</HeadCell>
                  <HeadCell>{text.columns.dmx}</HeadCell>
                  <HeadCell>{text.columns.type}</HeadCell>
                  <HeadCell>{text.columns.mode}</HeadCell>
                  <HeadCell>{strings.status}</HeadCell>
                  <HeadCell className="text-right">{strings.actions}</HeadCell>
                </tr>
              </thead>
              <tbody>
                {shown.map((light) => (
                  <LightRow
                    key={light.id}
                    light={light}
                    place={lights.indexOf(light) + 1}
                    canMove={canMove}
                    onEdit={() => onEdit(light)}
                    onDelete={() => onDelete(light)}
                  />
                ))}
              </tbody>
            </Table>
          </SortableContext>
        </DndContext>
      </TableFrame>
    </>
  );
}

function describe(error: unknown): string {
  if (!(error instanceof ReorderError)) return plainErrorText(error);
  return `${text.reorderFailed(error.progress.done, error.progress.total)}: ${plainErrorText(error)}`;
}
