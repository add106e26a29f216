/** Why there is no MIDI: this browser has none, or the person or the system refused. */
export type NoMidi = "missing" | "denied";

const asked = new Map<boolean, Promise<MIDIAccess>>();

export const hasMidi = (): boolean => "requestMIDIAccess" in navigator;

/**
 * MIDI ports of this browser, which asks the person the first time. The one place that asks: all who listen share it, and
 * so listen by `addEventListener`.
 * @param sysex also messages that could change what an instrument is; most browsers ask once more for them
 * @throws why not, as {@link noMidi} reads it
 */
export async function askForMidi(sysex = false): Promise<MIDIAccess> {
  if (!hasMidi()) throw new DOMException("this browser has no MIDI", "NotSupportedError");
  const known = asked.get(sysex);
  if (known) return known;
  const access = navigator.requestMIDIAccess({ sysex });
  asked.set(sysex, access);
  // A person who refused may agree the next time.
  access.catch(() => asked.delete(sysex));
  return access;
}

export const noMidi = (error: unknown): NoMidi =>
  error instanceof DOMException && error.name === "NotSupportedError" ? "missing" : "denied";
