import { UserService } from "@followspot/contract/user";
import type { Call } from "../../lib/list-source.ts";
import type { FilePerson } from "./people-table.ts";

/** Result or predicted result of a row. `left`: the import was stopped before this row. */
export type ImportState = "created" | "updated" | "restored" | "unchanged" | "repeated" | "refused" | "left";

export interface Outcome {
  readonly state: ImportState;
  /** Reason why the row was not stored; empty if it was. */
  readonly reason: string;
  /** ID of the matched or created user; empty if there is none. */
  readonly userId: string;
  /** The person whom the row matched, before the import; undefined if there is none. */
  readonly match?: { readonly name: string; readonly roles: readonly string[] } | undefined;
}

/** Rows per request; the maximum that the contract allows. */
const SLICE = 200;

/**
 * Sends rows in batches until all are sent or `signal` is aborted. The batch in progress is always awaited.
 *
 * @param onSlice called after each batch with the outcomes of its rows; `from` is the index of the first
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
      results.map(({ state, reason, userId, name, roles }) => ({
        ...{ state: state as ImportState, reason, userId }, // the contract defines these states
        match: name === "" ? undefined : { name, roles },
      })),
    );
  }
}

/** Whether an import of the row stores something. */
export const isStored = ({ state }: Pick<Outcome, "state">): boolean =>
  state === "created" || state === "updated" || state === "restored";

/** Whether the row needs the user's attention, because it was not imported. */
export const isLeftOut = ({ state }: Pick<Outcome, "state">): boolean =>
  state === "refused" || state === "repeated" || state === "left";
