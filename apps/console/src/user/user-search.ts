import { listSearch, type ListSearch } from "../lib/list-search.ts";
import { ROLES } from "./user-rules.ts";

/** Roles that a list of people can be narrowed to; Member: people without one. */
export const ROLE_FILTERS = [...ROLES, "Member"] as const;
export type RoleFilter = (typeof ROLE_FILTERS)[number];

/** The Users screen's state in its address. */
export interface UserSearch extends ListSearch {
  /** Only people with it. */
  readonly role?: RoleFilter | undefined;
}

export function userSearch(search: Record<string, unknown>): UserSearch {
  return { ...listSearch(search), role: ROLE_FILTERS.find((role) => role === search["role"]) };
}
