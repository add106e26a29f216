import {
  soundCommandSchema,
  type SoundCommand,
  type SoundMessage,
  type SoundState,
  type SoundSource,
} from "@followspot/contract";
import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import type { Hands, Presser } from "../desk/desk-rules.ts";
import { presserOf } from "../desk/desk-socket.ts";
import type { Desk } from "../desk/desk.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { SocketRoom } from "../sockets/socket-room.ts";
import { BlockOrder, MessageBudget, readBlock } from "./block.ts";
import type { LiveSound } from "./live-sound.ts";

const STATE_EVERY_MS = 1000;
const LIVE_STATE_EVERY_MS = 100;
/** Time for a disconnected microphone to reconnect before live sound is released, ms. */
const RETURN_MS = 30_000;
const TOO_MUCH = 1008;
const CONTROL = "sound";

export interface SoundHost {
  readonly desk: Desk;
  readonly sound: LiveSound;
  /** Whether a song owns or requests the fixtures. */
  readonly isTaken: () => boolean;
  /** Whether an output is being calibrated, which needs the fixtures exclusively. */
  readonly isCalibrating: () => boolean;
  /** Name of the stage's own device. */
  readonly deviceName: string;
  /** Shorter in tests. */
  readonly returnMs?: number;
}

/** The active microphone: its connection, while it has one. */
interface Leader {
  readonly socket: WebSocket;
  readonly order: BlockOrder;
  readonly device: string;
}

/**
 * Serves all connections on `/lights/sound`: at most one microphone is active, and all connections receive which one.
 */
export class SoundSockets {
  readonly #host: SoundHost;
  readonly #room = new SocketRoom<Presser, SoundMessage>({
    stateFor: (by, socket) => this.#stateFor(by, socket),
    mostBufferedBytes: 65_536,
    slowReader: "misses messages",
  });
  readonly #timer: NodeJS.Timeout;
  #leader: Leader | undefined;
  #device = "";
  #return: NodeJS.Timeout | undefined;
  #toldMs = 0;

  constructor(host: SoundHost) {
    this.#host = host;
    this.#timer = setInterval(() => this.#tellOften(), LIVE_STATE_EVERY_MS);
  }

  /** Returns why live sound is unavailable from a source. */
  problemOf(source: string): string | undefined {
    if (this.#host.isCalibrating()) return "An output is being calibrated. End that first.";
    if (source === "device" && !this.#host.sound.hasDevice) {
      return "The stage has no sound device. Name one in FOLLOWSPOT_SOUND_DEVICE and start it again.";
    }
    if (source === "microphone" && !this.#leader) {
      return "No microphone sends sound. Start one on the desk's page.";
    }
    return undefined;
  }

  /** Applies the current controls of the desk. */
  follow(hands: Hands): void {
    const { sound } = this.#host;
    const wanted = hands[CONTROL]?.value as SoundSource | undefined; // checked when it was pressed
    if (wanted === sound.source) return;
    if (wanted !== "microphone") this.#dropLeader();
    if (wanted === undefined) sound.stop();
    else if (wanted === "device") sound.start("device");
    this.tell();
  }

  add(socket: WebSocket, headers: IncomingHttpHeaders): void {
    const by = presserOf(headers);
    const budget = new MessageBudget(monotonicMs());
    this.#room.add(socket, by, {
      onMessage: (data, isBinary) => {
        if (!budget.spend(monotonicMs())) socket.close(TOO_MUCH);
        else if (isBinary) this.#hear(socket, data as Buffer); // ws delivers a message whole
        else this.#obey(socket, by, String(data));
      },
      onLeave: (isSentAway) => this.#lose(socket, isSentAway),
    });
  }

  tell(): void {
    this.#toldMs = monotonicMs();
    this.#room.tellAll();
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#return);
    this.#room.close();
  }

  #obey(socket: WebSocket, by: Presser, text: string): void {
    const command = readCommand(text);
    if (!command) return this.#refuse(socket, "This is no command of live sound.");
    if (command.type === "start") return this.#start(socket, by, command);
    if (this.#leader?.socket === socket) this.#giveBack();
  }

  #start(socket: WebSocket, by: Presser, command: SoundCommand & { type: "start" }): void {
    const { desk, sound } = this.#host;
    if (command.back_to !== undefined && !this.#mayReturn(command.back_to, by)) {
      return this.#refuse(socket, "Live sound was given back while the connection was lost.");
    }
    if (this.#host.isCalibrating()) return this.#refuse(socket, this.problemOf("microphone")!);
    clearTimeout(this.#return);
    this.#leader = { socket, order: new BlockOrder(command.sample_rate, monotonicMs()), device: command.device };
    this.#device = command.device;
    sound.start("microphone", command.sample_rate, command.latency_ms);
    desk.set(CONTROL, "microphone", by);
    this.tell();
  }

  #mayReturn(run: string, by: Presser): boolean {
    const { desk, isTaken } = this.#host;
    const hand = desk.hands[CONTROL];
    if (run !== desk.run) return hand === undefined && !isTaken();
    return hand?.value === "microphone" && hand.owner === by.owner && this.#leader === undefined;
  }

  #hear(socket: WebSocket, bytes: Buffer): void {
    const leader = this.#leader;
    if (leader?.socket !== socket) return;
    const block = readBlock(bytes);
    if (!block) return this.#refuse(socket, "This is no block of sound.");
    const samples = leader.order.take(block, monotonicMs());
    if (samples) this.#host.sound.hear(samples);
  }

  #lose(socket: WebSocket, isSentAway: boolean): void {
    if (this.#leader?.socket !== socket) return;
    this.#leader = undefined;
    if (isSentAway) return this.#giveBack();
    this.#return = setTimeout(() => this.#giveBack(), this.#host.returnMs ?? RETURN_MS);
    this.tell();
  }

  /** Drops the active microphone, because another one or none is active now. */
  #dropLeader(): void {
    clearTimeout(this.#return);
    this.#leader = undefined;
  }

  #giveBack(): void {
    this.#host.desk.set(CONTROL, null, { connection: "", owner: "", ownerName: "" });
  }

  #tellOften(): void {
    const isDue = monotonicMs() - this.#toldMs >= STATE_EVERY_MS;
    if (!this.#room.isEmpty && (isDue || this.#host.sound.source)) this.tell();
  }

  #stateFor(by: Presser, socket: WebSocket): SoundState {
    const { desk, sound, deviceName } = this.#host;
    const hand = desk.hands[CONTROL];
    const { source } = sound;
    return {
      type: "sound",
      run: desk.run,
      lead: hand &&
        source && {
          source,
          owner: hand.owner,
          owner_name: hand.owner_name,
          device: source === "device" ? deviceName : this.#device,
          isHeard: sound.isHeard,
        },
      you: by.owner,
      you_lead: this.#leader?.socket === socket,
      has_device: sound.hasDevice,
      problem: sound.problem,
      heard: sound.heard,
    };
  }

  #refuse(socket: WebSocket, message: string): void {
    this.#room.send(socket, { type: "refused", message });
  }
}

function readCommand(text: string): SoundCommand | undefined {
  try {
    return soundCommandSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // not JSON: the caller rejects it
  }
}
