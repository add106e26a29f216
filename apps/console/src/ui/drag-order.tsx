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
import { GripVertical } from "lucide-react";
import { createContext, use, useMemo, type HTMLAttributes, type ReactNode } from "react";
import { cx } from "./class-names.ts";
import { DRAG_KEYS } from "./drag-order.keys.ts";

const text = {
  drag: (name: string) => `Move ${name}`,
  dragStart: (name: string, place: number, of: number) => `Picked up ${name}, at place ${place} of ${of}.`,
  dragOver: (name: string, place: number, of: number) => `${name} is at place ${place} of ${of}.`,
  dragEnd: (name: string, place: number, of: number) => `${name} was put at place ${place} of ${of}.`,
  dragCancel: (name: string) => `${name} stays where it was.`,
} as const;

type Id = string | number;
interface Movable<Key extends Id> {
  readonly id: Key;
  readonly name: string;
}
type Sortable = Pick<ReturnType<typeof useSortable>, "setActivatorNodeRef" | "attributes" | "listeners">;

/** The library expects values of `event.code`; the names of these keys are the same. */
const CODES = {
  start: [...DRAG_KEYS.lift.keys],
  cancel: [...DRAG_KEYS.cancel.keys],
  end: [...DRAG_KEYS.drop.keys],
};

const Handle = createContext<Sortable | undefined>(undefined);
const CanMove = createContext(false);

/** Makes the rows of a list sortable by pointer or keyboard; `onOrder` receives all IDs in the new order. */
export function DragOrder<Key extends Id>({
  items,
  canMove,
  onOrder,
  children,
}: {
  /** All rows in displayed order. */
  readonly items: readonly Movable<Key>[];
  readonly canMove: boolean;
  readonly onOrder: (ids: readonly Key[]) => void;
  readonly children: ReactNode;
}) {
  // Without a coordinate getter an arrow key moves 25 px, and auto-scroll keeps its 5 ms and 10.
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor, { keyboardCodes: CODES }));
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  return (
    <CanMove value={canMove}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements: announcementsOf(items) }}
        onDragEnd={({ active, over }) => {
          if (over && active.id !== over.id)
            onOrder(arrayMove(ids, ids.indexOf(active.id as Key), ids.indexOf(over.id as Key))); // The IDs belong to these rows.
        }}
      >
        <SortableContext items={ids} strategy={verticalListSortingStrategy}>
          {children}
        </SortableContext>
      </DndContext>
    </CanMove>
  );
}

/** A sortable row. */
export function SortableRow({
  id,
  as: Row = "div",
  className,
  style,
  ...rest
}: Omit<HTMLAttributes<HTMLElement>, "id"> & {
  /** ID of the row among the sortable ones. */
  readonly id: Id;
  readonly as?: "div" | "li";
}) {
  const canMove = use(CanMove);
  const { setNodeRef, transform, transition, isDragging, ...handle } = useSortable({ id, disabled: !canMove });
  return (
    <Handle value={handle}>
      <Row
        {...rest}
        ref={setNodeRef}
        className={cx(className, isDragging && "z-10 bg-raised shadow-lg")}
        style={{ ...style, transform: CSS.Translate.toString(transform), transition }}
      />
    </Handle>
  );
}

/** The drag handle of a row. @param name of the row */
export function DragHandle({ name }: { readonly name: string }) {
  const handle = use(Handle);
  const canMove = use(CanMove);
  return (
    <button
      type="button"
      ref={handle?.setActivatorNodeRef}
      {...handle?.attributes}
      {...handle?.listeners}
      aria-label={text.drag(name)}
      className="grid size-7 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-raised hover:text-fg disabled:opacity-40"
      disabled={!canMove}
    >
      <GripVertical aria-hidden size={14} />
    </button>
  );
}

/** Screen-reader announcements during a drag, with names and positions instead of IDs. */
function announcementsOf(items: readonly Movable<Id>[]): Announcements {
  const nameOf = (id: Id) => items.find((item) => item.id === id)?.name ?? "";
  const placeOf = (id: Id) => items.findIndex((item) => item.id === id) + 1;
  return {
    onDragStart: ({ active }) => text.dragStart(nameOf(active.id), placeOf(active.id), items.length),
    onDragOver: ({ active, over }) =>
      over ? text.dragOver(nameOf(active.id), placeOf(over.id), items.length) : undefined,
    onDragEnd: ({ active, over }) => text.dragEnd(nameOf(active.id), placeOf((over ?? active).id), items.length),
    onDragCancel: ({ active }) => text.dragCancel(nameOf(active.id)),
  };
}
