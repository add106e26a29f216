import {
  boxWelcomeSchema,
  rigCopySchema,
  settledSchema,
  tonightSchema,
  VENUE_HEADERS,
  VENUE_PATHS,
  type BoxHello,
  type BoxWelcome,
  type Happened,
  type RigCopy,
  type Settled,
  type Tonight,
} from "@followspot/contract";
import type { z } from "zod";
import { MachineDoor, ServerRefused, type MachineDoorOptions } from "../platform/machine-door.ts";

/** The office reads and writes rows of a whole night before it answers. */
const LONG_MS = 60_000;

/** What a box says to its office over HTTP, with the token of its venue. */
export class OfficeDoor extends MachineDoor {
  constructor(options: MachineDoorOptions) {
    super(options, VENUE_HEADERS);
  }

  hello = (hello: BoxHello, signal: AbortSignal): Promise<BoxWelcome> =>
    this.#ask(boxWelcomeSchema, VENUE_PATHS.hello, hello, { signal });

  /** @param held marks of the rows that are here, by table and key */
  tonight = (held: Record<string, Record<string, string>>, signal: AbortSignal): Promise<Tonight> =>
    this.#ask(tonightSchema, VENUE_PATHS.tonight, { held }, { timeoutMs: LONG_MS, signal });

  settle = (happened: readonly Happened[], signal: AbortSignal): Promise<Settled> =>
    this.#ask(settledSchema, VENUE_PATHS.settle, { happened }, { timeoutMs: LONG_MS, signal });

  tellRig = (rig: RigCopy, signal: AbortSignal): Promise<unknown> =>
    this.ask(VENUE_PATHS.rig, rig, { timeoutMs: LONG_MS, signal });

  async rig(signal: AbortSignal): Promise<RigCopy> {
    const answer = await this.send(VENUE_PATHS.rig, { signal });
    return understood(rigCopySchema, await this.read(() => answer.json()));
  }

  /** Fetches a file of a song whole. @returns its SHA-256 */
  fetchFile = (songId: string, name: string, path: string, signal: AbortSignal): Promise<string> =>
    this.fetchTo(`${VENUE_PATHS.files}/${songId}/${name}`, path, { signal });

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
