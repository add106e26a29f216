import { readShortCode } from "@followspot/contract";
import type { SettledScan, ScanQrResponse } from "@followspot/contract/event";
import { errorSentence, isUnanswered } from "../../lib/errors.ts";
import { newKey } from "../../lib/new-key.ts";
import { createStore, type Store } from "../../lib/store.ts";
import { answerHere, type DoorKnowledge, type ScanOutcome } from "./door-rules.ts";
import { checkInStrings as text } from "./check-in.strings.ts";
import { settledKept, type Kept, type KeptScans, type UnsettledScan } from "./kept-scans.ts";
import { answered, begun, nowSettled, outcomeOf, refusalOf, type Scan } from "./scans.ts";

export interface DoorPorts {
  readonly kept: KeptScans;
  readonly scan: (code: string, admit: boolean, door: string) => Promise<ScanQrResponse>;
  readonly settle: (scans: readonly UnsettledScan[], door: string) => Promise<readonly SettledScan[]>;
  /** Returns the time by the server's clock, ms since 1970. */
  readonly now: () => number;
  /** Returns false if the browser reports that it is offline. */
  readonly isOnline: () => boolean;
}

export interface DoorState {
  /** Latest scans, newest first. */
  readonly scans: readonly Scan[];
  readonly kept: Kept;
  /** Whether the last request got no response from the server. */
  readonly isAway: boolean;
  /** Reason why scans are not synced although the server responds; empty otherwise. */
  readonly problem: string;
}

/** Number of scans synced per call. A call that is interrupted may have synced some of them. */
const BATCH = 50;
/** Maximum number of stored scans; further ones are rejected. */
const MOST_KEPT = 5000;

/**
 * Check-in door that continues to work offline. Offline it decides scans itself, stores them and syncs them later. A
 * stored scan is dropped only after the server has confirmed its result.
 */
export class Door {
  readonly state: Store<DoorState>;
  readonly #ports: DoorPorts;
  #known: DoorKnowledge = { event: undefined, codes: undefined, readAt: undefined, askedAtMs: 0, peopleIn: 0 };
  /**
   * Codes with a response from the server: the result to show if they are scanned again, and the time of the response.
   */
  readonly #seen = new Map<string, { readonly outcome: ScanOutcome; readonly atMs: number }>();
  /** Codes by short code. */
  #byShortCode: ReadonlyMap<string, string> = new Map();
  #count = 0;
  #isSettling = false;

  constructor(ports: DoorPorts) {
    this.#ports = ports;
    this.state = createStore<DoorState>({ scans: [], kept: ports.kept.read(), isAway: false, problem: "" });
  }

  know(known: DoorKnowledge): void {
    this.#known = known;
    this.#byShortCode = new Map([...(known.codes?.values() ?? [])].map(({ shortCode, code }) => [shortCode, code]));
    this.#forgetUndone(known);
  }

  /** Scans a code or takes a typed short code. Calls may overlap; a scan does not wait for earlier responses. */
  async scan(typed: string, admit = false): Promise<void> {
    const short = readShortCode(typed);
    // The same attendee has the same code here, whether it was scanned or typed.
    const code = short ? (this.#byShortCode.get(short) ?? short) : typed;
    const id = ++this.#count;
    this.#set({ scans: begun(this.state.get().scans, id, code) });
    const outcome = await this.#answer(code, admit);
    this.#set({ scans: answered(this.state.get().scans, id, outcome) });
  }

  /** Syncs stored scans with the server, and detects whether the server is reachable again. */
  async settle(): Promise<void> {
    const isDue = () => this.state.get().isAway || this.#ports.kept.read().scans.length > 0;
    if (this.#isSettling || !isDue() || !this.#ports.isOnline()) return;
    this.#isSettling = true;
    try {
      do {
        const batch = this.#ports.kept.read().scans.slice(0, BATCH);
        const results = await this.#ports.settle(batch, this.#ports.kept.door());
        this.#set({ isAway: false, problem: "" });
        if (results.length === 0) return;
        const { event } = this.#known;
        this.#keep((kept) => settledKept(kept, batch, results, event));
        const byCode = new Map(batch.slice(0, results.length).map(({ code }, index) => [code, results[index]!]));
        this.#set({ scans: nowSettled(this.state.get().scans, byCode, event) });
      } while (isDue());
    } catch (error) {
      const isAway = isUnanswered(error);
      this.#set({ isAway, problem: isAway ? "" : errorSentence(error) });
    } finally {
      this.#isSettling = false;
    }
  }

  /**
   * Takes a check-in back that is not yet synced.
   * @returns false if the server may have it already
   */
  takeBack(code: string): boolean {
    if (this.#isSettling || !this.#ports.kept.read().scans.some((scan) => scan.code === code)) return false;
    this.#keep((kept) => ({ ...kept, scans: kept.scans.filter((scan) => scan.code !== code) }));
    return true;
  }

  clearConflicts(): void {
    this.#keep((kept) => ({ ...kept, conflicts: [] }));
  }

  /** Applies a change that another page of this browser has stored. */
  readKept(): void {
    this.#set({ kept: this.#ports.kept.read() });
  }

  async #answer(typed: string, admit: boolean): Promise<ScanOutcome> {
    const code = typed.trim().toUpperCase();
    if (this.state.get().isAway || !this.#ports.isOnline()) return this.#answerHere(code, admit);
    try {
      const answer = await this.#ports.scan(typed, admit, this.#ports.kept.door());
      const outcome = outcomeOf(answer, this.#known.event);
      if (outcome.state !== "refused") {
        this.#seen.set(code, { outcome: { ...outcome, state: "again" }, atMs: performance.now() });
      }
      return outcome;
    } catch (error) {
      return isUnanswered(error) ? this.#answerHere(code, admit) : refusalOf(error);
    }
  }

  #answerHere(code: string, admit: boolean): ScanOutcome {
    this.#set({ isAway: true });
    const seen = this.#seen.get(code);
    if (seen) return seen.outcome;
    const { scans } = this.#ports.kept.read();
    const [nowMs, known] = [this.#ports.now(), this.#known];
    const peopleIn = known.peopleIn + scans.length;
    const outcome = answerHere(code, { admit, unsettled: scans, known: { ...known, peopleIn }, nowMs });
    if (outcome.state !== "here") return outcome;
    if (scans.length >= MOST_KEPT) return { state: "refused", name: outcome.name, detail: text.offline.full };
    const scan = { id: newKey(), code, name: outcome.name, scannedAtMs: nowMs, admit };
    this.#keep((kept) => ({ ...kept, scans: [...kept.scans, scan] }));
    return outcome;
  }

  /**
   * Forgets check-ins that are missing in codes requested later: they were undone, so those attendees may check in
   * again.
   */
  #forgetUndone({ codes, askedAtMs }: DoorKnowledge): void {
    for (const [code, { atMs }] of this.#seen) {
      const person = codes?.get(code);
      if (person && !person.checkedInAt && askedAtMs > atMs) this.#seen.delete(code);
    }
  }

  #keep(next: (kept: Kept) => Kept): void {
    this.#set({ kept: this.#ports.kept.change(next) });
  }

  #set(part: Partial<DoorState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}
