import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
} from "@dnd-kit/core";
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import type { Light } from "@followspot/contract/lights";
import { GripVertical } from "lucide-react";
import { createContext, use, useMemo, type ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import type { RowShellProps } from "../ui/data-table-body.tsx";
import { lightStrings as text } from "./lights.strings.ts";

type Sortable = Pick<ReturnType<typeof useSortable>, "setActivatorNodeRef" | "attributes" | "listeners">;

const Handle = createContext<Sortable | undefined>(undefined);
const CanMove = createContext(false);

/** Lets lights be moved by pointer or keyboard; `onOrder` gets every id in the new order. */
export function DragOrder({
  lights,
  canMove,
  onOrder,
  children,
}: {
  /** All of them, in the order shown. */
  readonly lights: readonly Light[];
  readonly canMove: boolean;
  readonly onOrder: (ids: readonly number[]) => void;
  readonly children: ReactNode;
}) {
  // Without a coordinate getter an arrow key moves 25 px, and auto-scroll keeps its 5 ms and 10.
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor));
  const ids = useMemo(() => lights.map(({ id }) => id), [lights]);
  return (
    <CanMove value={canMove}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: announcementsOf(lights) }}
        onDragEnd={({ active, over }) => {
          if (over && active.id !== over.id)
            onOrder(arrayMove(ids, ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id))));
        }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          {children}
        </SortableContext>
      </DndContext>
    </CanMove>
  );
}

/** A row of the table that can be moved. */
export function SortableRow({ row, className, style, ...rest }: RowShellProps<Light>) {
  const canMove = use(CanMove);
  const { setNodeRef, transform, transition, isDragging, ...handle } = useSortable({ id: row.id, disabled: !canMove });
  return (
    <Handle value={handle}>
      <div
        {...rest}
        ref={setNodeRef}
        className={cx(className, isDragging && "z-10 bg-raised shadow-lg")}
        style={{ ...style, transform: CSS.Translate.toString(transform), transition }}
      />
    </Handle>
  );
}

export function DragHandle({ label }: { readonly label: string }) {
  const handle = use(Handle);
  const canMove = use(CanMove);
  return (
    <button
      type="button"
      ref={handle?.setActivatorNodeRef}
      {...handle?.attributes}
      {...handle?.listeners}
      aria-label={label}
      className="grid size-7 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-raised hover:text-fg disabled:opacity-40"
      disabled={!canMove}
    >
      <GripVertical aria-hidden size={14} />
    </button>
  );
}

/** What a screen reader says while a light is moved: names and places, not ids. */
function announcementsOf(lights: readonly Light[]): Announcements {
  const nameOf = (id: string | number) => lights.find((light) => light.id === Number(id))?.label || text.noLabel;
  const placeOf = (id: string | number) => lights.findIndex((light) => light.id === Number(id)) + 1;
  return {
    onDragStart: ({ active }) => text.dragStart(nameOf(active.id), placeOf(active.id), lights.length),
    onDragOver: ({ active, over }) =>
      over ? text.dragOver(nameOf(active.id), placeOf(over.id), lights.length) : undefined,
    onDragEnd: ({ active, over }) => text.dragEnd(nameOf(active.id), placeOf((over ?? active).id), lights.length),
    onDragCancel: ({ active }) => text.dragCancel(nameOf(active.id)),
  };
}
