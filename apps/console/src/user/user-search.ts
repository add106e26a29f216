import { listSearch, parseOpen, text, type ListSearch } from "../lib/list-search.ts";
import { PERSON_TABS, type PersonTab } from "./person-tabs.ts";
import { ROLES } from "./user-rules.ts";

/** Role filters of the user list. Member means users without a role. */
const ROLE_FILTERS = [...ROLES, "Member"] as const;
export type RoleFilter = (typeof ROLE_FILTERS)[number];

/** State of the Users screen in the URL. */
export interface UserSearch extends ListSearch {
  /** Role filter. */
  readonly role?: RoleFilter | undefined;
  /** ID of the user whose drawer is open. */
  readonly person?: string | undefined;
  /** Open tab of the drawer; undefined for the profile. */
  readonly tab?: PersonTab | undefined;
}

export function userSearch(search: Record<string, unknown>): UserSearch {
  const list = listSearch(search);
  const role = ROLE_FILTERS.find((each) => each === search["role"]);
  const older = olderDrawer(list.open);
  if (older) return { ...list, role, open: undefined, ...older };
  return {
    ...list,
    role,
    person: text(search["person"]),
    tab: PERSON_TABS.find((tab) => tab === search["tab"]),
  };
}

/** Converts older URLs, in which gold and history were separate drawers. */
function olderDrawer(open: string | undefined): Pick<UserSearch, "person" | "tab"> | undefined {
  const { what, id: person } = parseOpen(open) ?? { what: "", id: "" };
  if (person === "") return undefined;
  if (what === "gold") return { person, tab: "gold" };
  return what === "history" ? { person, tab: "log" } : undefined;
}
