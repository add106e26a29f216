import type { Drawing, RecordedScene, ShowScene, SilentScene } from "./scene.ts";

/** Who has a source. Machines such as the show queue are persons of their own. */
export interface Holder {
  readonly person: string;
  /** One open page of the person. It stays the same when the page opens another connection. */
  readonly page: string;
  /** An id of the connection; of a machine or an input, its name. */
  readonly connection: string;
  /** What the person is called; left out for machines. */
  readonly name?: string;
}

export type SourceKind = "test" | "calibration" | "sound" | "song" | "queue" | "replay";

/** Something that can have the lamps. */
export interface Source {
  readonly kind: SourceKind;
  /** Of the song, recording or input: a look is held at the desk within it. */
  readonly id: string;
  readonly holder: Holder;
  /** False from the loss of the holder's connection until the same person is back. */
  readonly isHeld: boolean;
  /** What to draw for it; undefined sends slots of its own. */
  readonly drawing: Drawing | undefined;
  /** What is on the lamps at a moment; undefined when it is over. */
  sceneAt(ms: number): ShowScene | RecordedScene | undefined;
  /** Whether it goes on by itself at a moment, held or not. */
  isRunningAt(ms: number): boolean;
  /** The holder's connection is lost. @param isSentAway the person may not have the lamps any more */
  lose?(ms: number, isSentAway: boolean): void;
  /** The same person is back. */
  giveBack?(holder: Holder, ms: number): void;
  /** Another source has taken the lamps from it for good. */
  replaced?(): void;
}

/** Light while no source has the lamps. `safe` is the house look after an accident. */
export type IdleLight = "dark" | "house" | "safe";

interface Rule {
  /** Of several sources the one with the highest level is seen; there is one of each level. */
  readonly level: number;
  /** Whether this other source must let go first, unless it is taken over. */
  readonly waitsFor: (other: Source, by: Holder, ms: number) => boolean;
}

const isSong = ({ kind }: Source) => kind === "song" || kind === "queue" || kind === "calibration";
const isHeldElsewhere = (other: Source, { page }: Holder) =>
  isSong(other) && other.isHeld && other.holder.page !== page;

/**
 * Who is seen, and who waits for whom. The test of an output, a calibration and live sound lie over the show, which goes on
 * underneath and is seen again after them. The controls of the desk, identify and blackout among them, are no sources: they change what
 * is seen (`desk/desk-scene.ts`). Below all is the idle light.
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
  /** Of two sources the one that asked later has the higher number. */
  readonly order: number;
}

/**
 * Who has the lamps. A source asks, gets ready, and only then takes the place of the one before; one that fails, comes
 * too late or is refused changes nothing. Pure: time is an argument, and drawing is the work of the stage.
 */
export class Lamps {
  /** By level, the lowest first. */
  #stack: readonly Entry[] = [];
  /** Those that were let in and are getting ready. */
  #requests: readonly Entry[] = [];
  #asked = 0;
  #idle: IdleLight = "dark";

  /** The source that is seen; undefined while there is only the idle light. */
  get shown(): Source | undefined {
    return this.#stack.at(-1)?.source;
  }

  /** Sources that have the lamps or lie under the one that has, the one that is seen last. */
  get sources(): readonly Source[] {
    return this.#stack.map(({ source }) => source);
  }

  /** Sources that asked and are getting ready. */
  get requests(): readonly Source[] {
    return this.#requests.map(({ source }) => source);
  }

  /**
   * Asks for the lamps. What is on them stays until {@link ready}. An earlier request of the same page is withdrawn.
   *
   * @param force takes them over from a source that would have to let go first
   * @returns the source that has to let go first; undefined when the request is taken
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
   * The source can be drawn: it takes the lamps from those of its level and above that asked before it did.
   * @returns false when it was withdrawn, or another one that asked later has its place
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

  /** The source could not be got ready, or is not wanted any more. */
  withdraw(source: Source): void {
    this.#requests = this.#requests.filter((each) => each.source !== source);
  }

  /** The source gives the lamps back to those below it. */
  release(source: Source): void {
    this.withdraw(source);
    this.#stack = this.#stack.filter((each) => each.source !== source);
  }

  /**
   * A connection is lost. Its requests are withdrawn; the sources it held go on alone, but a calibration, which ends.
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
   * A person opens a new connection for the source they had: the same page at once, another page of theirs once the old
   * connection is lost.
   * @returns the source, which runs on as before
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

  /** The light while no source has the lamps, from now on and until the next show. */
  rest(light: IdleLight): void {
    this.#idle = light;
  }

  /** What is on the lamps at a moment, before the desk. */
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
