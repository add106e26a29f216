import type { Drawing, RecordedScene, ShowScene, SilentScene } from "./scene.ts";

/** Owner of a source. Machines such as the show queue count as users of their own. */
export interface Holder {
  readonly person: string;
  /** One open page of the user. It stays the same when the page reconnects. */
  readonly page: string;
  /** ID of the connection; for a machine or an input, its name. */
  readonly connection: string;
  /** Name of the user; omitted for machines. */
  readonly name?: string;
}

export type SourceKind = "test" | "calibration" | "sound" | "song" | "queue" | "replay";

/** A source that can own the fixtures. */
export interface Source {
  readonly kind: SourceKind;
  /** ID of the song, recording or input: the desk's hold applies within it. */
  readonly id: string;
  readonly holder: Holder;
  /** False from the loss of the holder's connection until the same user is back. */
  readonly isHeld: boolean;
  /** Drawing to render for it; undefined if it sends its own slots. */
  readonly drawing: Drawing | undefined;
  /** Returns its scene at a moment; undefined when it has ended. */
  sceneAt(ms: number): ShowScene | RecordedScene | undefined;
  /** Whether it continues by itself at a moment, held or not. */
  isRunningAt(ms: number): boolean;
  /** Reports the loss of the holder's connection. @param isSentAway whether the user lost the permission */
  lose?(ms: number, isSentAway: boolean): void;
  /** Restores the holder after a reconnect of the same user. */
  giveBack?(holder: Holder, ms: number): void;
  /** Reports that another source has replaced it permanently. */
  replaced?(): void;
}

/** Light while no source owns the fixtures. `safe` is the default look after a failure. */
export type IdleLight = "dark" | "house" | "safe";

interface Rule {
  /** Priority: the source with the highest level is visible. There is one source per level. */
  readonly level: number;
  /** Whether this other source must release first, unless it is taken over. */
  readonly waitsFor: (other: Source, by: Holder, ms: number) => boolean;
}

const isSong = ({ kind }: Source) => kind === "song" || kind === "queue" || kind === "calibration";
const isHeldElsewhere = (other: Source, { page }: Holder) =>
  isSong(other) && other.isHeld && other.holder.page !== page;

/**
 * Precedence of the sources and who must wait for whom. An output test, a calibration and live sound cover the show,
 * which continues underneath and reappears after them. The desk's controls, including identify and blackout, are not
 * sources: they change the visible scene (`desk/desk-scene.ts`). Below all is the idle light.
 */
export const PRECEDENCE: Readonly<Record<SourceKind, Rule>> = {
  test: {
    level: 4,
    waitsFor: ({ kind, isHeld, isRunningAt }, _by, ms) => kind !== "test" && (isHeld || isRunningAt(ms)),
  },
  calibration: { level: 3, waitsFor: isHeldElsewhere },
  sound: { level: 2, waitsFor: ({ kind }) => kind === "calibration" },
  song: { level: 1, waitsFor: isHeldElsewhere },
  queue: { level: 1, waitsFor: () => false },
  replay: {
    level: 1,
    waitsFor: (other, _by, ms) => other.kind !== "replay" && (other.isHeld || other.isRunningAt(ms)),
  },
};

interface Entry {
  readonly source: Source;
  /** Of two sources the one that requested later has the higher number. */
  readonly order: number;
}

/**
 * Arbitrates between sources. A source requests the fixtures, gets ready, and only then replaces the one before. A
 * source that fails, is too late or is rejected changes nothing. Pure: time is an argument, and the stage renders.
 */
export class Lamps {
  /** By level, lowest first. */
  #stack: readonly Entry[] = [];
  /** Accepted sources that are getting ready. */
  #requests: readonly Entry[] = [];
  #asked = 0;
  #idle: IdleLight = "dark";

  /** The visible source; undefined while there is only the idle light. */
  get shown(): Source | undefined {
    return this.#stack.at(-1)?.source;
  }

  /** The visible source and those under it, the visible one last. */
  get sources(): readonly Source[] {
    return this.#stack.map(({ source }) => source);
  }

  /** Accepted sources that are getting ready. */
  get requests(): readonly Source[] {
    return this.#requests.map(({ source }) => source);
  }

  /**
   * Requests the fixtures. The visible scene stays until {@link ready}. An earlier request of the same page is
   * withdrawn.
   *
   * @param force takes over from a source that would have to release first
   * @returns the source that has to release first; undefined if the request is accepted
   */
  request(source: Source, ms: number, force = false): Source | undefined {
    const { waitsFor } = PRECEDENCE[source.kind];
    const inTheWay = this.sources.findLast((other) => other !== source && waitsFor(other, source.holder, ms));
    if (inTheWay && !force) return inTheWay;
    const others = this.#requests.filter((each) => each.source.holder.page !== source.holder.page);
    this.#requests = [...others, { source, order: ++this.#asked }];
    return undefined;
  }

  /**
   * Puts a source on stage that can be rendered. It replaces the sources of its level and above that requested earlier.
   * @returns false if it was withdrawn, or a source that requested later has its place
   */
  ready(source: Source): boolean {
    const request = this.#requests.find((each) => each.source === source);
    if (!request) return false;
    this.withdraw(source);
    const level = levelOf(request);
    const isLater = (each: Entry) => each.order > request.order;
    if (this.#stack.some((each) => levelOf(each) === level && isLater(each))) return false;
    const replaced = this.#stack.filter((each) => levelOf(each) >= level && !isLater(each) && each.source !== source);
    const staying = this.#stack.filter((each) => each.source !== source && !replaced.includes(each));
    this.#stack = [...staying, request].toSorted((a, b) => levelOf(a) - levelOf(b));
    if (level === 1) this.#idle = "dark";
    for (const each of replaced) each.source.replaced?.();
    return true;
  }

  /** Withdraws a request that failed or is not wanted any more. */
  withdraw(source: Source): void {
    this.#requests = this.#requests.filter((each) => each.source !== source);
  }

  /** Removes a source; the sources below it reappear. */
  release(source: Source): void {
    this.withdraw(source);
    this.#stack = this.#stack.filter((each) => each.source !== source);
  }

  /**
   * Handles a lost connection. Its requests are withdrawn. Its sources continue without a holder, except a calibration,
   * which ends.
   * @returns whether anything has changed
   */
  connectionLost(connection: string, ms: number, isSentAway = false): boolean {
    const isOfConnection = ({ holder }: Source) => holder.connection === connection;
    const asked = this.requests.filter(isOfConnection);
    for (const source of asked) this.withdraw(source);
    const held = this.sources.filter(isOfConnection);
    for (const source of held) {
      if (source.kind === "calibration") this.release(source);
      else source.lose?.(ms, isSentAway);
    }
    return asked.length + held.length > 0;
  }

  /**
   * Restores a user's source on a new connection: for the same page at once, for another page of the user once the old
   * connection is lost.
   * @returns the source, which continues as before
   */
  returned(id: string, holder: Holder, ms: number): Source | undefined {
    const isTheirs = ({ holder: before, isHeld }: Source) =>
      before.page === holder.page
        ? before.connection !== holder.connection
        : before.person === holder.person && !isHeld;
    const source = this.sources.findLast((each) => each.id === id && each.giveBack && isTheirs(each));
    source?.giveBack?.(holder, ms);
    return source;
  }

  /** Sets the light without a source, until the next show. */
  rest(light: IdleLight): void {
    this.#idle = light;
  }

  /** Returns the scene at a moment, before the desk. */
  sceneAt(ms: number): ShowScene | RecordedScene | SilentScene {
    for (const source of this.sources.toReversed()) {
      const scene = source.sceneAt(ms);
      if (scene) return scene;
    }
    if (this.#idle === "dark") return { kind: "silent" };
    const isSafe = this.#idle === "safe";
    return { kind: "show", position: 0, allowsStrobe: false, houseMix: 1, isSafe, master: 1 };
  }
}

const levelOf = ({ source }: Entry) => PRECEDENCE[source.kind].level;
