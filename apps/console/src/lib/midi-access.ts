/** Reason why MIDI is unavailable: the browser does not support it, or the user or the system denied access. */
export type NoMidi = "missing" | "denied";

const asked = new Map<boolean, Promise<MIDIAccess>>();

export const hasMidi = (): boolean => "requestMIDIAccess" in navigator;

/**
 * Requests access to the MIDI ports; the browser asks the user the first time. All listeners share this access, so they
 * attach with `addEventListener`.
 * @param sysex also system-exclusive messages, which can reconfigure an instrument; most browsers ask separately for
 * them
 * @throws an error that {@link noMidi} converts to a reason
 */
export async function askForMidi(sysex = false): Promise<MIDIAccess> {
  if (!hasMidi()) throw new DOMException("this browser has no MIDI", "NotSupportedError");
  const known = asked.get(sysex);
  if (known) return known;
  const access = navigator.requestMIDIAccess({ sysex });
  asked.set(sysex, access);
  // A user who denied access may allow it next time.
  access.catch(() => asked.delete(sysex));
  return access;
}

export const noMidi = (error: unknown): NoMidi =>
  error instanceof DOMException && error.name === "NotSupportedError" ? "missing" : "denied";
