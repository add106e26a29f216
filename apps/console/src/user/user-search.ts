import { listSearch, parseOpen, text, type ListSearch } from "../lib/list-search.ts";
import { PERSON_TABS, type PersonTab } from "./person-tabs.ts";
import { ROLES } from "./user-rules.ts";

/** Roles that a list of people can be narrowed to; Member: people without one. */
const ROLE_FILTERS = [...ROLES, "Member"] as const;
export type RoleFilter = (typeof ROLE_FILTERS)[number];

/** The Users screen's state in its address. */
export interface UserSearch extends ListSearch {
  /** Only people with it. */
  readonly role?: RoleFilter | undefined;
  /** Id of the person whose drawer is open. */
  readonly person?: string | undefined;
  /** Of that drawer; left out: the profile. */
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

/** Addresses from when gold and history had drawers of their own. */
function olderDrawer(open: string | undefined): Pick<UserSearch, "person" | "tab"> | undefined {
  const { what, id: person } = parseOpen(open) ?? { what: "", id: "" };
  if (person === "") return undefined;
  if (what === "gold") return { person, tab: "gold" };
  return what === "history" ? { person, tab: "log" } : undefined;
}
