import { randomUUID } from "node:crypto";
import { deskControlOf, type DeskMessage, type DeskState } from "@followspot/contract";
import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import { headerOf, nameOf } from "../sockets/caller.ts";
import { SocketRoom } from "../sockets/socket-room.ts";
import { readPress, type Desk } from "./desk.ts";
import { isAnsweredLate, type Presser } from "./desk-rules.ts";

const STATE_EVERY_MS = 1000;
/** Shortest time between two broadcasts during rapid presses, ms. */
const TELL_MS = 15;

export interface DeskHost {
  readonly desk: Desk;
  /** Passes presses to the desk and traces them; the desk itself if nothing is traced. */
  readonly presses?: Pick<Desk, "press"> | undefined;
  /** State that consoles receive beside the controls. */
  readonly show: () => Pick<DeskState, "mode" | "song_id" | "outputs">;
  /** Resolves once all presses so far would survive a crash of the stage. */
  readonly written: () => Promise<void>;
}

/**
 * Serves all connections on `/lights/desk`: passes presses to the single {@link Desk} and broadcasts who holds which
 * control.
 */
export class DeskSockets {
  readonly #host: DeskHost;
  readonly #room = new SocketRoom<Presser, DeskMessage>({
    stateFor: (by) => this.#state(by),
    mostBufferedBytes: 1_048_576,
    slowReader: "is cut off",
  });
  readonly #timer: NodeJS.Timeout;
  #told: NodeJS.Timeout | undefined;
  #isBehind = false;

  constructor(host: DeskHost) {
    this.#host = host;
    this.#timer = setInterval(() => this.#room.tellAll(), STATE_EVERY_MS);
  }

  add(socket: WebSocket, headers: IncomingHttpHeaders): void {
    const by = { connection: randomUUID(), owner: headerOf(headers, "user"), ownerName: nameOf(headers) };
    this.#room.add(socket, by, {
      onMessage: (data) => this.#receive(socket, by, String(data)),
      onLeave: () => this.#host.desk.leave(by.connection),
    });
  }

  /** Broadcasts a change: at once, or after the shortest interval if a broadcast was just sent. */
  tell(): void {
    if (this.#told) return void (this.#isBehind = true);
    this.#room.tellAll();
    this.#told = setTimeout(() => {
      this.#told = undefined;
      if (!this.#isBehind) return;
      this.#isBehind = false;
      this.tell();
    }, TELL_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#told);
    this.#room.close();
  }

  #receive(socket: WebSocket, by: Presser, text: string): void {
    const press = readPress(text);
    if (!press)
      return void this.#room.send(socket, { type: "refused", id: "", message: "This is no press of the desk." });
    const answer = (this.#host.presses ?? this.#host.desk).press(press, by);
    const send = () => this.#room.send(socket, answer);
    // An acknowledged press is not retried, so it must be stored first in case the stage crashes.
    if (isAnsweredLate(press.control)) void this.#host.written().then(send, send);
    else send();
  }

  #state(by: Presser): DeskState {
    const { desk, show } = this.#host;
    const hands = Object.fromEntries(
      Object.entries(desk.hands).map(([key, { value, owner, owner_name, since, endsMs }]) => [
        key,
        { value, owner, owner_name, since, ...labelOf(desk, key), ...(endsMs !== undefined && { ends: true }) },
      ]),
    );
    const { run, revision, groups, means } = desk;
    return {
      type: "desk",
      run,
      revision,
      hands,
      ...(groups && { groups }),
      ...means,
      ...show(),
      you: by.owner,
      now: Date.now(),
    };
  }
}

function labelOf(desk: Desk, key: string): { readonly label?: string } {
  const light = deskControlOf(key)?.light ?? 0;
  const label = light === 0 ? undefined : desk.labelOf(light);
  return label === undefined ? {} : { label };
}

/** Returns the caller, as identified by main-api. */
export function presserOf(headers: IncomingHttpHeaders): Presser {
  return {
    connection: `http ${headerOf(headers, "user")}`,
    owner: headerOf(headers, "user"),
    ownerName: nameOf(headers),
  };
}
