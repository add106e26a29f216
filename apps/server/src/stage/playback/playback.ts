import type { LampsHolder, LightingPlan, PlaybackCommand, PlaybackMessage, StageMode } from "@followspot/contract";
import type { Holder, Lamps, Source } from "../lamps/lamps.ts";
import { SongShow, type SongCommand } from "./song-show.ts";

/** Result of a command. */
export interface Answer {
  readonly reply?: PlaybackMessage;
  /** An accepted show: fetch its plan, then call {@link Playback.loaded} or {@link Playback.failed}. */
  readonly load?: SongShow;
  /** Whether the visible show or its owner has changed. */
  readonly changed: boolean;
}

/**
 * Handles the consoles' commands about songs. Each page has at most one show on stage and one that is getting ready.
 */
export class Playback {
  readonly #lamps: Lamps;

  constructor(lamps: Lamps) {
    this.#lamps = lamps;
  }

  /** The song or calibration that is visible, or continues under live sound. */
  get show(): SongShow | undefined {
    return songsOf(this.#lamps.sources).at(-1);
  }

  get songId(): string {
    return this.show?.id ?? "";
  }

  modeAt(ms: number): StageMode {
    return this.show?.modeAt(ms) ?? "idle";
  }

  /** Handles one command of one console about one song. */
  handle(holder: Holder, songId: string, command: PlaybackCommand, nowMs: number): Answer {
    switch (command.type) {
      case "hello":
        return { changed: false };
      case "prepare_playback":
        return this.#prepare(onPage(holder, command.page), songId, command.take_over, nowMs);
      case "stop":
        return this.#stop(holder);
      default:
        return this.#follow(holder, command, nowMs);
    }
  }

  /** @returns false if the show is not wanted any more, or was too late */
  loaded(show: SongShow, plan: LightingPlan): boolean {
    show.setPlan(plan);
    return this.#lamps.ready(show);
  }

  /** @returns whether its console still waits for it */
  failed(show: SongShow): boolean {
    const isAwaited = this.#lamps.requests.includes(show);
    this.#lamps.withdraw(show);
    return isAwaited;
  }

  stateFor(asking: Holder, outputs: number, blackout: boolean, nowMs: number): PlaybackMessage {
    const { show } = this;
    const { connection } = asking;
    return {
      type: "state",
      mode: this.modeAt(nowMs),
      song_id: this.songId,
      position: show?.positionAt(nowMs) ?? 0,
      owner: show?.isHeld === true && show.holder.connection === connection,
      loading: this.#lamps.requests.some((each) => each.holder.connection === connection),
      outputs,
      blackout,
      ...(show?.isHeld && { holder: toldTo(asking, show) }),
    };
  }

  #prepare(holder: Holder, songId: string, takesOver = false, nowMs: number): Answer {
    if (this.#lamps.returned(songId, holder, nowMs)) return { changed: true };
    const show = new SongShow(songId, holder);
    if (this.#lamps.request(show, nowMs, takesOver))
      return refuse("busy", "Another console has the lights; send prepare_playback with take_over to take them.");
    return { load: show, changed: false };
  }

  /**
   * Ends the shows and requests of this connection, and the shows the same user has abandoned. Shows of other users
   * continue.
   */
  #stop(holder: Holder): Answer {
    const isTheirs = (show: SongShow) =>
      show.isHeld ? show.holder.connection === holder.connection : show.holder.person === holder.person;
    const ended = [...this.#lamps.requests, ...this.#lamps.sources].filter(isSong).filter(isTheirs);
    for (const show of ended) this.#lamps.release(show);
    if (ended.length > 0) return { changed: true };
    return this.show ? notOwner() : { changed: false };
  }

  /**
   * Applies a command to the show that is getting ready, if there is one; the show on stage continues unchanged until
   * then.
   */
  #follow(holder: Holder, command: SongCommand, nowMs: number): Answer {
    const isOfConnection = (show: SongShow) => show.isHeld && show.holder.connection === holder.connection;
    const asked = songsOf(this.#lamps.requests).find(isOfConnection);
    const show = asked ?? songsOf(this.#lamps.sources).findLast(isOfConnection);
    if (!show) return this.show?.isHeld ? notOwner() : refuse("no_plan", "Prepare playback first.");
    const reply = show.follow(command, nowMs);
    return { ...(reply && { reply }), changed: !asked };
  }
}

/** Describes the owner of the fixtures to another console. */
const toldTo = ({ person }: Holder, { kind, holder }: SongShow): LampsHolder => ({
  kind,
  name: holder.name ?? "",
  is_you: holder.person === person,
});

/** Prefixes the page with its user, because a page of another user may have chosen the same name. */
const onPage = (holder: Holder, page?: string): Holder =>
  page ? { ...holder, page: `${holder.person} ${page}` } : holder;

const isSong = (source: Source): source is SongShow => source instanceof SongShow;
const songsOf = (sources: readonly Source[]): SongShow[] => sources.filter(isSong);

function refuse(code: string, message: string): Answer {
  return { reply: { type: "error", code, message }, changed: false };
}

function notOwner(): Answer {
  return refuse("not_owner", "Another console has the lights; prepare playback to take them over.");
}
