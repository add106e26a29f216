/** A key, pad, knob or fader of a MIDI controller. */
export interface MidiSource {
  readonly kind: "note" | "cc";
  /** MIDI channel, 0..15. */
  readonly channel: number;
  /** Note or controller number, 0..127. */
  readonly number: number;
}

/** A message of a controller: its source and value, 0..1. */
export interface MidiMove {
  readonly source: MidiSource;
  readonly level: number;
}

/** MIDI source by action ID. Each source belongs to one action, and each action to one source. */
export type MidiMap = Readonly<Record<string, MidiSource>>;

const NOTE_OFF = 0x8;
const NOTE_ON = 0x9;
const CONTROL_CHANGE = 0xb;
const STORED = "followspot.desk.midi";

/** Parses note and control-change messages; undefined for others. */
export function readMidi(bytes: Uint8Array): MidiMove | undefined {
  const [status = 0, number = 0, value = 0] = bytes;
  if (bytes.length !== 3 || number > 127 || value > 127) return undefined;
  const channel = status & 0xf;
  switch (status >> 4) {
    case NOTE_OFF:
      return { source: { kind: "note", channel, number }, level: 0 };
    case NOTE_ON: // A note on with velocity 0 is a note off.
      return { source: { kind: "note", channel, number }, level: value > 0 ? 1 : 0 };
    case CONTROL_CHANGE:
      return { source: { kind: "cc", channel, number }, level: value / 127 };
    default:
      return undefined;
  }
}

/** Creates the message that lights a controller's LED or moves its motor fader. */
export function midiFeedback({ kind, channel, number }: MidiSource, level: number): number[] {
  return [((kind === "note" ? NOTE_ON : CONTROL_CHANGE) << 4) | channel, number, Math.round(level * 127)];
}

export const isSameSource = (a: MidiSource, b: MidiSource): boolean =>
  a.kind === b.kind && a.channel === b.channel && a.number === b.number;

/** Maps a source to an action and removes earlier mappings of both. */
export function learnt(map: MidiMap, action: string, source: MidiSource): MidiMap {
  return {
    ...Object.fromEntries(Object.entries(map).filter(([, each]) => !isSameSource(each, source))),
    [action]: source,
  };
}

export function unlearnt(map: MidiMap, action: string): MidiMap {
  return Object.fromEntries(Object.entries(map).filter(([each]) => each !== action));
}

/** Returns the action that a source is mapped to. */
export const actionOn = (map: MidiMap, source: MidiSource): string | undefined =>
  Object.keys(map).find((action) => isSameSource(map[action]!, source));

/** Reads the stored mapping; empty if it cannot be read. */
export function storedMap(storage: () => Pick<Storage, "getItem"> = () => localStorage): MidiMap {
  try {
    const stored: unknown = JSON.parse(storage().getItem(STORED) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, MidiSource] => isSource(entry[1])),
    );
  } catch {
    return {}; // Text of another program, or no storage.
  }
}

export function storeMap(map: MidiMap, storage: () => Pick<Storage, "setItem"> = () => localStorage): void {
  try {
    storage().setItem(STORED, JSON.stringify(map));
  } catch {
    // Without storage the mapping lasts as long as the page.
  }
}

function isSource(value: unknown): value is MidiSource {
  const { kind, channel, number } = (value ?? {}) as Partial<MidiSource>; // Validated, because the storage may contain anything.
  const isByte = (n: unknown, most: number) => Number.isInteger(n) && Number(n) >= 0 && Number(n) <= most;
  return (kind === "note" || kind === "cc") && isByte(channel, 15) && isByte(number, 127);
}
