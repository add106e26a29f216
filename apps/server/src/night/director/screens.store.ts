import type { Db } from "../../platform/database/database.ts";
import type { ListDefinition } from "../../platform/database/lists.ts";
import type { BaseView, ScreenState } from "./stage-screen.ts";

/** ID of the screen without an event. */
export const DEFAULT_SCREEN = "default";

/** A row of `stage_screens` with the names it shows. */
export interface ScreenRow {
  readonly id: string;
  readonly event_id: string | null;
  readonly view: BaseView;
  readonly status: string;
  readonly announcement: string;
  readonly announcement_ends_at: Date | null;
  readonly talk_id: string | null;
  readonly talk_since: Date | null;
  readonly player_id: string | null;
  readonly timer_ends_at: Date | null;
  readonly timer_seconds: number;
  readonly shows_lamps: boolean;
  readonly revision: number;
  readonly updated_at: Date;
  /** Null if the talk was deleted. */
  readonly talk_title: string | null;
  /** Null if the user was deleted. */
  readonly player_name: string | null;
  /** Database time of the read, by which everything on the screen ends. */
  readonly read_at: Date;
}

/** List of screens that have shown anything, in order of change. */
export const SCREEN_LIST: ListDefinition = {
  columns: (db) => db`s.*, t.title as talk_title, u.name as player_name, clock_timestamp() as read_at`,
  from: (db) => db`
    stage_screens s
    left join events e on e.id = s.event_id
    left join talks t on t.id = s.talk_id and t.deleted_at is null
    left join users u on u.id = s.player_id and u.deleted_at is null`,
  id: (db) => db`s.id`,
  idType: "text",
  orders: { updated_at: { by: (db) => db`s.updated_at`, type: "timestamptz" }, id: "id" },
  ownOrder: "updated_at desc",
  filters: {},
  searched: (db) => db`coalesce(e.searched, '')`,
};

/** Matches existing screens; those of deleted events count as deleted. */
export const openScreens = (db: Db) => db`e.deleted_at is null`;

/** Reads a screen; one that has shown nothing yet is at home. */
export async function readScreen(db: Db, id: string): Promise<ScreenRow> {
  const [row] = await db<ScreenRow[]>`
    select ${SCREEN_LIST.columns(db)} from ${SCREEN_LIST.from(db)} where s.id = ${id}`;
  if (row) return row;
  const [clock] = await db<{ now: Date }[]>`select clock_timestamp() as now`;
  const now = clock!.now; // a select without a table has one row
  return { ...NOTHING_SHOWN, id, event_id: eventOf(id), updated_at: now, read_at: now };
}

/** Locks a screen until the transaction ends; creates its row if missing. */
export async function lockScreen(db: Db, id: string): Promise<ScreenRow> {
  await db`insert into stage_screens (id, event_id) values (${id}, ${eventOf(id)}) on conflict do nothing`;
  await db`select 1 from stage_screens where id = ${id} for update`;
  return readScreen(db, id);
}

/** Stores the new state of a screen; callers hold its lock. */
export async function saveScreen(db: Db, id: string, state: ScreenState): Promise<ScreenRow> {
  const fields = {
    view: state.view,
    status: state.status,
    announcement: state.announcement?.text ?? "",
    announcement_ends_at: state.announcement?.endsAt ?? null,
    talk_id: state.talk?.id ?? null,
    talk_since: state.talk?.since ?? null,
    player_id: state.playerId ?? null,
    timer_ends_at: state.timer?.endsAt ?? null,
    timer_seconds: state.timer?.seconds ?? 0,
    shows_lamps: state.showsLamps,
  };
  await db`
    update stage_screens set ${db(fields)}, revision = revision + 1, updated_at = clock_timestamp() where id = ${id}`;
  return readScreen(db, id);
}

/**
 * Extends timers and announcements by the duration of a full outage.
 * @param since start of the outage
 * @returns changed screens
 */
export async function moveEndings(db: Db, since: Date): Promise<readonly ScreenRow[]> {
  const rows = await db<{ id: string }[]>`
    select id from stage_screens where timer_ends_at > ${since} or announcement_ends_at > ${since} order by id for update`;
  const moved = (column: "timer_ends_at" | "announcement_ends_at") => db`
    case when ${db(column)} > ${since} then clock_timestamp() + (${db(column)} - ${since}::timestamptz) else ${db(column)} end`;
  await db`
    update stage_screens set timer_ends_at = ${moved("timer_ends_at")},
      announcement_ends_at = ${moved("announcement_ends_at")},
      revision = revision + 1, updated_at = clock_timestamp()
    where id = any(${rows.map(({ id }) => id)})`;
  return Promise.all(rows.map(({ id }) => readScreen(db, id)));
}

/**
 * Locks screens with an overdue announcement until the transaction ends; skips those that another transaction holds.
 */
export async function lockOverdue(db: Db): Promise<readonly string[]> {
  const rows = await db<{ id: string }[]>`
    select id from stage_screens where announcement_ends_at <= clock_timestamp() order by id for update skip locked`;
  return rows.map(({ id }) => id);
}

/** Returns the milliseconds until the next announcement ends; undefined if there is none. */
export async function untilNextEnd(db: Db): Promise<number | undefined> {
  const [row] = await db<{ ms: number | null }[]>`
    select (extract(epoch from min(announcement_ends_at) - clock_timestamp()) * 1000)::float8 as ms from stage_screens`;
  return row?.ms ?? undefined;
}

export function stateOf(row: ScreenRow): ScreenState {
  return {
    view: row.view,
    status: row.status,
    announcement:
      row.announcement === "" ? undefined : { text: row.announcement, endsAt: row.announcement_ends_at ?? undefined },
    talk: row.talk_id === null ? undefined : { id: row.talk_id, since: row.talk_since ?? undefined },
    playerId: row.player_id ?? undefined,
    timer: row.timer_ends_at ? { endsAt: row.timer_ends_at, seconds: row.timer_seconds } : undefined,
    showsLamps: row.shows_lamps,
  };
}

const eventOf = (id: string): string | null => (id === DEFAULT_SCREEN ? null : id);

const NOTHING_SHOWN = {
  view: "home",
  status: "",
  announcement: "",
  announcement_ends_at: null,
  talk_id: null,
  talk_since: null,
  player_id: null,
  timer_ends_at: null,
  timer_seconds: 0,
  shows_lamps: false,
  revision: 0,
  talk_title: null,
  player_name: null,
} as const;
