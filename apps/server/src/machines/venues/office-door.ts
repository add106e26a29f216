import {
  boxWelcomeSchema,
  firstNowSchema,
  rigCopySchema,
  settledSchema,
  tableMarksSchema,
  tonightSchema,
  VENUE_HEADERS,
  VENUE_PATHS,
  type AskTonight,
  type BoxHello,
  type BoxWelcome,
  type FirstNow,
  type Happened,
  type RigCopy,
  type Settled,
  type StandbyAsk,
  type TableMarks,
  type Tonight,
} from "@followspot/contract";
import type { z } from "zod";
import { MachineDoor, ServerAway, ServerRefused, type MachineDoorOptions } from "../machine-door.ts";

/** Timeout for requests that read or write the rows of a whole event, ms. */
const LONG_MS = 60_000;
/** Timeout after which the first machine counts as not responding, ms. */
const NOW_MS = 400;

/** HTTP client of a venue server for its office; authenticates with the token of the venue. */
export class OfficeDoor extends MachineDoor {
  #isKnown = false;

  constructor(options: MachineDoorOptions) {
    super(options, VENUE_HEADERS);
  }

  /**
   * Whether the office has accepted the hello of this process. Before that it rejects requests as those of a process
   * that has lost its token.
   */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  hello = async (hello: BoxHello, signal: AbortSignal): Promise<BoxWelcome> => {
    const welcome = await this.#ask(boxWelcomeSchema, VENUE_PATHS.hello, hello, { signal });
    this.#isKnown = true;
    return welcome;
  };

  marks = (signal: AbortSignal): Promise<TableMarks> => this.#get(tableMarksSchema, VENUE_PATHS.marks, signal);

  tonight = (holds: AskTonight, signal: AbortSignal): Promise<Tonight> =>
    this.#ask(tonightSchema, VENUE_PATHS.tonight, holds, { timeoutMs: LONG_MS, signal });

  settle = (happened: readonly Happened[], signal: AbortSignal): Promise<Settled> =>
    this.#ask(settledSchema, VENUE_PATHS.settle, { happened }, { timeoutMs: LONG_MS, signal });

  tellRig = (rig: RigCopy, signal: AbortSignal): Promise<unknown> =>
    this.ask(VENUE_PATHS.rig, rig, { timeoutMs: LONG_MS, signal });

  now = async (ask: StandbyAsk, signal: AbortSignal): Promise<FirstNow> => {
    if (!this.#isKnown) throw new ServerAway("the office was not told of this start yet");
    return this.#ask(firstNowSchema, VENUE_PATHS.now, ask, { timeoutMs: NOW_MS, signal });
  };

  rig = (signal: AbortSignal): Promise<RigCopy> => this.#get(rigCopySchema, VENUE_PATHS.rig, signal);

  /** Downloads a file of a song. @returns its SHA-256 */
  fetchFile = (songId: string, name: string, path: string, signal: AbortSignal): Promise<string> =>
    this.fetchTo(`${VENUE_PATHS.files}/${songId}/${name}`, path, { signal });

  async #get<Schema extends z.ZodType>(schema: Schema, path: string, signal: AbortSignal): Promise<z.infer<Schema>> {
    const answer = await this.send(path, { signal: AbortSignal.any([signal, AbortSignal.timeout(LONG_MS)]) });
    return understood(schema, await this.readJson<unknown>(answer));
  }

  async #ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body: object,
    options: { timeoutMs?: number; signal: AbortSignal },
  ): Promise<z.infer<Schema>> {
    return understood(schema, await this.ask<unknown>(path, body, options));
  }
}

function understood<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  throw new ServerRefused("what answers at the office's address does not speak as an office of this version");
}
