import { OFFSET_KEYS } from "../calibration/offset.keys.ts";
import { MESSAGE_KEYS } from "../chat/chat.keys.ts";
import { DESK_KEYS } from "../desk/desk.keys.ts";
import { CALENDAR_KEYS } from "../event/calendar/calendar.keys.ts";
import type { KeyTable } from "../lib/key-table.ts";
import { AIM_KEYS } from "../lights/aim.keys.ts";
import { CHOICE_KEYS, PLACE_KEYS, PLAN_STEPS } from "../lights/places/plan.keys.ts";
import { UNIVERSE_KEYS } from "../lights/universe.keys.ts";
import { QUEUE_KEYS } from "../music/playlists/queue.keys.ts";
import { SCHEDULE_KEYS } from "../talk/schedule.keys.ts";
import { TONIGHT_KEYS } from "../tonight/tonight.keys.ts";
import { TABLE_KEYS } from "../ui/data-table.keys.ts";
import { DRAG_KEYS } from "../ui/drag-order.keys.ts";
import { TOAST_KEYS } from "../ui/toast.keys.ts";
import { CORRECTION_STEPS, EDGE_KEYS, TAP_KEYS } from "../visualizer/corrections/corrections.keys.ts";
import { SHOW_KEYS } from "../visualizer/show.keys.ts";
import { EVERYWHERE_KEYS } from "./everywhere.keys.ts";
import { keyMapStrings as text } from "./key-map.strings.ts";

/** A group of shortcuts and the screens where they apply. */
export interface KeySection {
  readonly title: string;
  /** Pattern of the addresses below /admin; undefined for all. */
  readonly at?: RegExp;
  readonly tables: readonly KeyTable[];
}

/** Every shortcut of the console, from the tables that its screens use. */
export const KEY_MAP: readonly KeySection[] = [
  { title: text.sections.everywhere, tables: [EVERYWHERE_KEYS, TOAST_KEYS] },
  { title: text.sections.tonight, at: /^\/tonight$/, tables: [QUEUE_KEYS, TONIGHT_KEYS] },
  { title: text.sections.desk, at: /^\/desk$/, tables: [QUEUE_KEYS, DESK_KEYS] },
  { title: text.sections.playlists, at: /^\/music\/playlists$/, tables: [QUEUE_KEYS] },
  {
    title: text.sections.visualizer,
    at: /^\/music\/[^/]+\/visualizer$/,
    tables: [SHOW_KEYS, TAP_KEYS, CORRECTION_STEPS, EDGE_KEYS],
  },
  { title: text.sections.calendar, at: /^\/events$/, tables: [CALENDAR_KEYS] },
  { title: text.sections.schedule, at: /^\/events\/[^/]+\/talks$/, tables: [SCHEDULE_KEYS] },
  { title: text.sections.universe, at: /^\/lights$/, tables: [UNIVERSE_KEYS] },
  { title: text.sections.plan, at: /^\/lights$/, tables: [PLACE_KEYS, CHOICE_KEYS, PLAN_STEPS] },
  { title: text.sections.aim, at: /^\/lights$/, tables: [AIM_KEYS] },
  { title: text.sections.calibration, at: /^\/lights\/calibration$/, tables: [OFFSET_KEYS] },
  { title: text.sections.chat, at: /^\/chat$/, tables: [MESSAGE_KEYS] },
  {
    title: text.sections.tables,
    at: /^\/(users|events|music|lights|log|events\/[^/]+\/(talks|check-in|registrations))$/,
    tables: [TABLE_KEYS],
  },
  { title: text.sections.order, at: /^\/(lights|music\/playlists)$/, tables: [DRAG_KEYS] },
];

/** Returns the sections: those of the screen at this address first, then the global ones, then the rest. */
export function keyMapAt(path: string): readonly KeySection[] {
  const rank = ({ at }: KeySection) => (at === undefined ? 1 : at.test(path) ? 0 : 2);
  return KEY_MAP.toSorted((a, b) => rank(a) - rank(b));
}
