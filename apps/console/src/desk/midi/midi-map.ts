/** A key, pad, knob or fader of a MIDI controller. */
export interface MidiSource {
  readonly kind: "note" | "cc";
  /** 0..15 */
  readonly channel: number;
  /** 0..127 */
  readonly number: number;
}

/** What a controller said: a source and how far it is, 0..1. */
export interface MidiMove {
  readonly source: MidiSource;
  readonly level: number;
}

/** Action id → where it is on the controller. A source is on one action, an action has one source. */
export type MidiMap = Readonly<Record<string, MidiSource>>;

const NOTE_OFF = 0x8;
const NOTE_ON = 0x9;
const CONTROL_CHANGE = 0xb;
const STORED = "followspot.desk.midi";

/** Notes and control changes; undefined for everything else a controller may say. */
export function readMidi(bytes: Uint8Array): MidiMove | undefined {
  const [status = 0, number = 0, value = 0] = bytes;
  if (bytes.length !== 3 || number > 127 || value > 127) return undefined;
  const channel = status & 0xf;
  switch (status >> 4) {
    case NOTE_OFF:
      return { source: { kind: "note", channel, number }, level: 0 };
    case NOTE_ON: // at speed 0 it is a note that ends
      return { source: { kind: "note", channel, number }, level: value > 0 ? 1 : 0 };
    case CONTROL_CHANGE:
      return { source: { kind: "cc", channel, number }, level: value / 127 };
    default:
      return undefined;
  }
}

/** What lights a controller's lamp, or moves its motor fader. */
export function midiFeedback({ kind, channel, number }: MidiSource, level: number): number[] {
  return [((kind === "note" ? NOTE_ON : CONTROL_CHANGE) << 4) | channel, number, Math.round(level * 127)];
}

export const isSameSource = (a: MidiSource, b: MidiSource): boolean =>
  a.kind === b.kind && a.channel === b.channel && a.number === b.number;

/** The action is on this source from now on, and no other one is. */
export function learnt(map: MidiMap, action: string, source: MidiSource): MidiMap {
  return {
    ...Object.fromEntries(Object.entries(map).filter(([, each]) => !isSameSource(each, source))),
    [action]: source,
  };
}

export function unlearnt(map: MidiMap, action: string): MidiMap {
  return Object.fromEntries(Object.entries(map).filter(([each]) => each !== action));
}

/** The action that sits on a source. */
export const actionOn = (map: MidiMap, source: MidiSource): string | undefined =>
  Object.keys(map).find((action) => isSameSource(map[action]!, source));

/** What this browser has learnt; what cannot be read is learnt again. */
export function storedMap(storage: () => Pick<Storage, "getItem"> = () => localStorage): MidiMap {
  try {
    const stored: unknown = JSON.parse(storage().getItem(STORED) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, MidiSource] => isSource(entry[1])),
    );
  } catch {
    return {}; // another program's text, or no storage at all
  }
}

export function storeMap(map: MidiMap, storage: () => Pick<Storage, "setItem"> = () => localStorage): void {
  try {
    storage().setItem(STORED, JSON.stringify(map));
  } catch {
    // Without storage it is learnt again next time.
  }
}

function isSource(value: unknown): value is MidiSource {
  const { kind, channel, number } = (value ?? {}) as Partial<MidiSource>; // anything may stand in the storage
  const isByte = (n: unknown, most: number) => Number.isInteger(n) && Number(n) >= 0 && Number(n) <= most;
  return (kind === "note" || kind === "cc") && isByte(channel, 15) && isByte(number, 127);
}
