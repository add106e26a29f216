import { useTransport } from "@connectrpc/connect-query";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useCan } from "../auth/can.ts";
import { errorSentence, isDenied } from "../lib/errors.ts";
import { caller } from "../lib/list-source.ts";
import { kindsOfQuery, partQuery, wantedParts } from "./find-parts.ts";
import { THING_KINDS, type Thing, type ThingKind } from "./find-things.ts";

/** Pause in typing before items are searched, ms. */
const PAUSE_MS = 150;
/** Minimum number of letters; a single letter matches everything. */
const LEAST_LETTERS = 2;
/** Time for which results are reused while the user types and deletes letters, ms. */
const FRESH_MS = 10_000;

export interface FoundThings {
  /** Results by kind; kinds without results are omitted. */
  readonly found: readonly { readonly name: ThingKind["name"]; readonly things: readonly Thing[] }[];
  readonly isSearching: boolean;
  readonly failed: readonly { readonly name: ThingKind["name"]; readonly why: string }[];
}

/**
 * Searches items on the server, each kind with a separate call, so that a failed or slow call does not delay the
 * others. Calls for an outdated text are aborted.
 */
function useFoundThings(typed: string, of: readonly ThingKind[] = THING_KINDS): FoundThings {
  const can = useCan();
  const transport = useTransport();
  const text = typed.trim();
  const asked = useAfterPause(text);
  const isAsked = asked.length >= LEAST_LETTERS;
  const kinds = of.filter(({ method }) => can(method));
  const answers = useQueries({
    queries: kinds.map(({ name, find }) => ({
      queryKey: ["found", name, asked],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => find(caller(transport, signal), asked, can),
      enabled: isAsked,
      staleTime: FRESH_MS,
      gcTime: FRESH_MS,
      retry: false,
    })),
  });
  const isCurrent = asked === text && isAsked;
  const each = kinds.map(({ name }, at) => ({ name, answer: answers[at]! }));
  return {
    found: isCurrent
      ? each.flatMap(({ name, answer }) => (answer.data?.length ? { name, things: answer.data } : []))
      : [],
    isSearching: text.length >= LEAST_LETTERS && (!isCurrent || each.some(({ answer }) => answer.isFetching)),
    failed: isCurrent
      ? each.flatMap(({ name, answer }) =>
          answer.error && !isDenied(answer.error) ? { name, why: errorSentence(answer.error) } : [],
        )
      : [],
  };
}

/** Searches by the typed text. If one of its words names a part, as in "friday talks", searches by the name alone. */
export function useFoundQuery(typed: string): FoundThings {
  const query = partQuery(typed);
  const whole = useFoundThings(typed);
  const named = useFoundThings(query?.name ?? "", query ? kindsOfQuery(query) : NO_KINDS);
  if (!query) return whole;
  const known = new Set(whole.found.flatMap(({ things }) => things.map(({ id }) => id)));
  const wanted = named.found
    .map(({ name, things }) => ({ name, things: wantedParts(things, query).filter(({ id }) => !known.has(id)) }))
    .filter(({ things }) => things.length > 0);
  return {
    found: [...Map.groupBy([...wanted, ...whole.found], ({ name }) => name)].map(([name, groups]) => ({
      name,
      things: groups.flatMap(({ things }) => things),
    })),
    isSearching: whole.isSearching || named.isSearching,
    failed: [...new Map([...whole.failed, ...named.failed].map((each) => [each.name, each])).values()],
  };
}

const NO_KINDS: readonly ThingKind[] = [];

/** Returns the text after a pause in typing. */
function useAfterPause(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
