import { UserService } from "@followspot/contract/user";
import type { Call } from "../../lib/list-source.ts";
import type { FilePerson } from "./people-table.ts";

/** What became of a person of the file, or would become of them. `left`: it was stopped before their turn. */
export type ImportState = "created" | "updated" | "restored" | "unchanged" | "repeated" | "refused" | "left";

export interface Outcome {
  readonly state: ImportState;
  /** Why it was not stored; empty where it was. */
  readonly reason: string;
  /** Empty for a row that neither matched nor made a person. */
  readonly userId: string;
}

/** The most that the contract takes at once. */
const SLICE = 200;

/**
 * Sends people slice by slice until all are sent or `signal` says to stop; a slice that was sent is waited for.
 * @param onSlice told after each slice what became of its people, which begin at `from`
 */
export async function importPeople(
  call: Call,
  people: readonly FilePerson[],
  options: { readonly dryRun: boolean; readonly updateExisting: boolean },
  {
    signal,
    onSlice,
  }: { readonly signal: AbortSignal; readonly onSlice: (from: number, of: readonly Outcome[]) => void },
): Promise<void> {
  for (let from = 0; from < people.length && !signal.aborted; from += SLICE) {
    const rows = people.slice(from, from + SLICE);
    const { results } = await call(UserService.method.importUsers, { rows, ...options });
    onSlice(
      from,
      results.map(({ state, reason, userId }) => ({ state: state as ImportState, reason, userId })), // by the contract
    );
  }
}

/** Rows that a press of Import stores something of. */
export const isStored = ({ state }: Pick<Outcome, "state">): boolean =>
  state === "created" || state === "updated" || state === "restored";

/** Rows that a person has to look at. */
export const isLeftOut = ({ state }: Pick<Outcome, "state">): boolean =>
  state === "refused" || state === "repeated" || state === "left";
