import "./monitor.css";
import { memo, useEffect, useRef, type KeyboardEvent } from "react";
import { fixtureStrings } from "../../fixtures/fixtures.strings.ts";
import { lampFeed } from "../../lamps/use-lamps.ts";
import { GLOW_MS, MONITOR_MS, MonitorCells, type CellChange, type ChannelOwner } from "./monitor-cells.ts";
import { monitorStrings as text } from "./monitor.strings.ts";

/** Cells per row, for layout and arrow keys. */
export const ROW = 32;
const NARROW_ROW = 16;
const SLOTS = 512;
const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot);
const NOTHING = new Uint8Array(SLOTS);

/**
 * Grid with the live values of a universe. React renders the cells once; frames are then written directly into the DOM, at most
 * 15 times per second. Arrow keys move the focus between cells.
 */
export const MonitorGrid = memo(function MonitorGrid({
  universe,
  owners,
  frozen,
  onActive,
}: {
  readonly universe: number;
  /** Owner of each slot. */
  readonly owners: readonly (ChannelOwner | undefined)[];
  /** Values to show instead of live frames; undefined while the monitor is live. */
  readonly frozen: Uint8Array | undefined;
  readonly onActive: (slot: number) => void;
}) {
  const grid = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLParagraphElement>(null);
  const pointed = useRef<number>(undefined);

  useEffect(() => {
    const cells = new MonitorCells();
    const places = [...(grid.current?.querySelectorAll<HTMLElement>("[data-slot]") ?? [])];
    const write = ({ slot, value, glows }: CellChange) => {
      const cell = places[slot]!;
      cell.lastElementChild!.textContent = String(value);
      cell.style.setProperty("--value", String(value / 255));
      cell.classList.toggle("dm-new", glows);
    };
    let said = "";
    const tell = () => {
      const slot = pointed.current;
      const words = slot === undefined ? text.pointAt : inWords(slot, cells.valueOf(slot), owners[slot]);
      if (words === said || !line.current) return;
      said = line.current.textContent = words;
    };
    let updatedMs = Number.NEGATIVE_INFINITY;
    let later: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      later = undefined;
      updatedMs = performance.now();
      for (const change of cells.update(frozen ?? lampFeed.universes.get(universe) ?? NOTHING, updatedMs))
        write(change);
      tell();
      if (cells.isGlowing) updateIn(GLOW_MS / 4);
    };
    const updateIn = (ms: number) => (later ??= setTimeout(update, ms));
    const hear = () => {
      clearTimeout(later);
      later = undefined;
      updateIn(Math.max(0, updatedMs + MONITOR_MS - performance.now()));
    };
    const point = ({ target }: Event) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>("[data-slot]") : null;
      if (cell) pointed.current = Number(cell.dataset["slot"]);
      tell();
    };
    const root = grid.current!;
    root.addEventListener("pointerover", point);
    root.addEventListener("focusin", point);
    const stop = frozen ? () => undefined : lampFeed.onFrame(hear);
    update();
    return () => {
      stop();
      clearTimeout(later);
      root.removeEventListener("pointerover", point);
      root.removeEventListener("focusin", point);
    };
  }, [universe, owners, frozen]);

  const press = (key: KeyboardEvent) => {
    const from = pointed.current ?? 0;
    const next = nextSlot(key.key, from, rowOf(grid.current!));
    if (next === undefined) return;
    key.preventDefault();
    const cells = grid.current!.querySelectorAll<HTMLElement>("[data-slot]");
    cells[from]!.tabIndex = -1;
    cells[next]!.tabIndex = 0;
    cells[next]!.focus();
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p ref={line} className="min-h-4 truncate text-xs text-muted tabular-nums">
        {text.pointAt}
      </p>
      <div
        ref={grid}
        role="listbox"
        aria-label={text.grid(universe)}
        aria-orientation="horizontal"
        onKeyDown={press}
        onFocus={({ target }) => {
          const slot = Number(target.dataset["slot"]);
          const value = Number(target.lastElementChild?.textContent);
          target.setAttribute("aria-label", inWords(slot, value, owners[slot]));
          onActive(slot);
        }}
        className="dm-grid"
      >
        {ALL_SLOTS.map((slot) => (
          <div
            key={slot}
            role="option"
            aria-selected={false}
            data-slot={slot}
            tabIndex={slot === 0 ? 0 : -1}
            className={owners[slot] ? "dm-cell dm-taken" : "dm-cell"}
          >
            {" "}
            {/* prettier-ignore */}
            <span>{slot + 1}</span>
            <span>0</span>
          </div>
        ))}
      </div>
    </div>
  );
});

export const ownerInWords = (owner: ChannelOwner | undefined): string =>
  owner ? text.owner(owner.label, fixtureStrings.channel(owner.kind)) : text.free;

const inWords = (slot: number, value: number, owner: ChannelOwner | undefined): string =>
  text.cell(slot + 1, value, ownerInWords(owner));

const rowOf = (grid: HTMLElement): number =>
  getComputedStyle(grid).gridTemplateColumns.split(" ").length <= NARROW_ROW ? NARROW_ROW : ROW;

function nextSlot(key: string, at: number, row: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + row,
    ArrowUp: at - row,
    Home: at - (at % row),
    End: at - (at % row) + row - 1,
  };
  const next = moves[key];
  return next === undefined ? undefined : next >= 0 && next < SLOTS ? next : at;
}
