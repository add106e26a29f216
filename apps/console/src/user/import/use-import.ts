import { useEffect, useMemo, useRef, useState } from "react";
import { useChange } from "../../lib/list-refresh.ts";
import { USERS } from "../user.queries.ts";
import { importPeople, isStored, type Outcome } from "./import-people.ts";
import { importStrings as text } from "./import.strings.ts";
import { personIn, repeatedPeople, type Columns, type PeopleTable } from "./people-table.ts";

/** Progress of the check or the import. */
interface Work {
  readonly kind: "checking" | "importing";
  readonly done: number;
  readonly all: number;
}

/** Manages the import of a file: a dry run on the server predicts the outcome of each row, then the rows are stored. */
export function useImport(table: PeopleTable, columns: Columns, updateExisting: boolean) {
  const call = useChange(USERS);
  const people = useMemo(() => table.rows.map((row) => personIn(row, columns)), [table, columns]);
  const repeated = useMemo(() => repeatedPeople(people, table.rows), [people, table]);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const [isDone, setDone] = useState(false);
  const [work, setWork] = useState<Work>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Sends the rows at these indices. @returns a copy of `start` with their outcomes filled in */
  async function run(kind: Work["kind"], places: readonly number[], start: readonly Outcome[]) {
    const { signal } = (running.current = new AbortController());
    const all = [...start];
    setError(undefined);
    setWork({ kind, done: 0, all: places.length });
    try {
      await importPeople(
        call,
        places.map((place) => people[place]!), // `places` holds indices of `people`
        { dryRun: kind === "checking", updateExisting },
        {
          signal,
          onSlice: (from, of) => {
            for (const [index, outcome] of of.entries()) all[places[from + index]!] = outcome; // one outcome per sent row
            setWork({ kind, done: from + of.length, all: places.length });
          },
        },
      );
    } catch (failure) {
      setError(failure);
    } finally {
      setWork(undefined);
    }
    return all;
  }

  return {
    people,
    outcomes,
    isDone,
    work,
    error,
    stop: () => running.current?.abort(),
    forget: () => setOutcomes(undefined),
    check: async () => {
      const start = people.map((_, index) => outcomeOf(repeated.get(index)));
      const places = people.flatMap((_, index) => (repeated.has(index) ? [] : [index]));
      const all = await run("checking", places, start);
      if (all.every(({ state }) => state !== "left")) setOutcomes(all);
    },
    store: async (checked: readonly Outcome[]) => {
      const places = checked.flatMap((outcome, index) => (isStored(outcome) ? [index] : []));
      const all = await run(
        "importing",
        places,
        checked.map((outcome) => (isStored(outcome) ? LEFT : outcome)),
      );
      setOutcomes(all);
      setDone(true);
      return all;
    },
  };
}

const LEFT: Outcome = { state: "left", reason: text.stopped, userId: "" };

const outcomeOf = (firstLine: number | undefined): Outcome =>
  firstLine === undefined ? LEFT : { state: "repeated", reason: text.repeatedAs(firstLine), userId: "" };
