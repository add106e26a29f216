import { fromJson, type DescMessage, type DescMethod, type DescMethodUnary, type JsonValue } from "@bufbuild/protobuf";
import { LIVE, type Envelope, type SongProgress } from "@followspot/contract";
import type { QueryClient } from "@tanstack/react-query";
import { calledService } from "../lib/called-services.ts";
import { refreshSoon } from "../lib/list-refresh.ts";
import { methodKey } from "../lib/list-source.ts";

const AUDIT = ["audit.v1.AuditService/ListAuditEntries"];

interface Row {
  readonly id: string | number;
}

type Change = (rows: readonly Row[]) => readonly Row[];

/** Applies envelopes to the cached lists, by the table {@link LIVE}. */
export class LiveLists {
  readonly #cache: QueryClient;

  constructor(cache: QueryClient) {
    this.#cache = cache;
  }

  apply(envelope: Envelope): void {
    const { topic, type, payload } = envelope;
    if (type === "song.progress") return this.#progress(payload as SongProgress);
    const [noun = "", verb = ""] = type.split(".");
    const live = Object.hasOwn(LIVE, noun) ? LIVE[noun] : undefined;
    // An item's own topic carries the same change for its listeners; the lists use the shared topic.
    if (!live || live.topic !== topic) return;
    this.#patchHeld(noun, verb, payload as Record<string, JsonValue>);
    for (const method of methodsOf(live.touches)) refreshSoon(this.#cache, method);
    // Every change is recorded in the audit log.
    for (const method of methodsOf(AUDIT)) refreshSoon(this.#cache, method);
  }

  /** Refetches the lists of a topic. */
  refresh(topic: string): void {
    for (const live of Object.values(LIVE)) {
      if (live.topic !== topic) continue;
      for (const method of methodsOf(live.touches)) refreshSoon(this.#cache, method);
      const one = readerOf(live.touches, live.patch?.field);
      if (one) refreshSoon(this.#cache, one);
    }
  }

  /**
   * Replaces the row in cached answers; removes it if it was deleted permanently. Never adds a row, because the client
   * cannot check whether it matches a list.
   */
  #patchHeld(noun: string, verb: string, payload: Readonly<Record<string, JsonValue>>): void {
    const { patch, touches } = LIVE[noun] ?? {};
    if (!patch || !touches) return;
    const [list] = methodsOf(touches);
    const rowType = list && fieldType(list.output, patch.rows);
    const json = payload[patch.field];
    const row =
      json !== undefined && rowType
        ? (fromJson(rowType, json, { ignoreUnknownFields: true }) as unknown as Row & { readonly deletedAt?: unknown })
        : undefined;
    const id = row?.id ?? payload[`${noun}_id`];
    const isGone = verb === "purged" || (verb === "deleted" && row?.deletedAt === undefined);
    if (isGone) this.#changeRows(noun, (rows) => without(rows, id));
    else if (row) {
      this.#changeRows(noun, (rows) => replaced(rows, row.id, () => row));
      this.#changeOne(noun, row);
    }
  }

  #progress({ song_id, step, progress, note }: SongProgress): void {
    this.#changeRows("song", (rows) =>
      replaced(rows, song_id, (song) => ({
        ...song,
        step,
        percent: Math.round(progress * 100),
        note,
        ...(step === "analysis" && { analysisStatus: "processing" }),
        ...(step === "lighting" && { lightingStatus: "processing" }),
      })),
    );
  }

  /** Changes every cached answer that contains rows of a noun, pages and whole lists alike. */
  #changeRows(noun: string, change: Change): void {
    const { patch, touches = [] } = LIVE[noun] ?? {};
    const [list] = methodsOf(touches);
    if (!patch || !list) return;
    this.#cache.setQueriesData<Held>({ queryKey: methodKey(list) }, (held) => {
      if (!held) return held;
      if (!isPaged(held)) return changed(held, patch.rows, change);
      const pages = held.pages.map((page) => changed(page, "rows", change));
      return pages.every((page, index) => page === held.pages[index]) ? held : { ...held, pages };
    });
  }

  #changeOne(noun: string, row: Row): void {
    const { patch, touches = [] } = LIVE[noun] ?? {};
    const one = readerOf(touches, patch?.field);
    if (!patch || !one) return;
    this.#cache.setQueriesData<Record<string, unknown>>({ queryKey: methodKey(one) }, (answer) => {
      const held = answer?.[patch.field] as Row | undefined;
      return answer && held?.id === row.id ? { ...answer, [patch.field]: row } : answer;
    });
  }
}

type Answer = Readonly<Record<string, unknown>>;
type Held = Answer | { readonly pages: readonly Answer[] };

const isPaged = (held: Held): held is { readonly pages: readonly Answer[] } => Array.isArray(held["pages" as never]);

/** Returns the same object if nothing in the answer changed, so that nothing renders again. */
function changed(answer: Answer, field: string, change: Change): Answer {
  const rows = answer[field] as readonly Row[];
  const next = change(rows);
  return next === rows ? answer : { ...answer, [field]: next };
}

function replaced(rows: readonly Row[], id: unknown, change: (row: Row) => Row): readonly Row[] {
  return rows.some((row) => row.id === id) ? rows.map((row) => (row.id === id ? change(row) : row)) : rows;
}

function without(rows: readonly Row[], id: unknown): readonly Row[] {
  return rows.some((row) => row.id === id) ? rows.filter((row) => row.id !== id) : rows;
}

/** Returns methods of services that were called; other services have no cached answers. */
function methodsOf(touches: readonly string[]): readonly DescMethodUnary[] {
  return touches.flatMap((touched) => {
    const [service = "", name] = touched.split("/");
    const called = calledService(`followspot.${service}`);
    if (!called) return [];
    const method = called.methods.find((each) => each.name === name);
    if (!method || !isUnary(method)) throw new RangeError(`${touched} of the table LIVE is no method of the contract`);
    return [method];
  });
}

/** Returns the method that reads one row; its answer has the row under the same field name as the payload. */
function readerOf(touches: readonly string[], field: string | undefined): DescMethodUnary | undefined {
  const [list] = methodsOf(touches);
  const one = list?.parent.methods.find(
    ({ name, output }) => name.startsWith("Get") && field !== undefined && fieldType(output, field) !== undefined,
  );
  return one && isUnary(one) ? one : undefined;
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

const fieldType = (message: DescMessage, name: string): DescMessage | undefined =>
  message.fields.find((field) => field.name === name)?.message;
