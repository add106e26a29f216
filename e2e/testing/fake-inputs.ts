/* Put into a page before its own scripts run: nothing here may name anything outside its function. */

/** Web MIDI with one input, "Deck". */
export function fakeMidi(): void {
  const deck = Object.assign(new EventTarget(), { id: "deck", name: "Deck", state: "connected" });
  const access = Object.assign(new EventTarget(), {
    inputs: new Map([["deck", deck]]),
    outputs: new Map(),
    sysexEnabled: true,
  });
  Object.defineProperty(navigator, "requestMIDIAccess", { value: async () => access, configurable: true });
  Object.assign(window, { deck });
}

/** Says each message at its time, with that time as its stamp. Comes back at once. */
export function sayInTime(said: readonly { readonly bytes: readonly number[]; readonly atMs: number }[]): void {
  const { deck } = window as unknown as { deck: EventTarget };
  let next = 0;
  const timer = setInterval(() => {
    for (; next < said.length && said[next]!.atMs <= performance.now(); next++) {
      const message = Object.assign(new Event("midimessage"), { data: Uint8Array.from(said[next]!.bytes) });
      Object.defineProperty(message, "timeStamp", { value: said[next]!.atMs });
      deck.dispatchEvent(message);
    }
    if (next === said.length) clearInterval(timer);
  }, 4);
}

/** A sound input that plays these samples over and over from when it is opened: 16 bits each, in base64. */
export function fakeSoundInput({
  samples,
  sampleRate,
}: {
  readonly samples: string;
  readonly sampleRate: number;
}): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const bytes = Uint8Array.from(atob(samples), (ch) => ch.charCodeAt(0));
    const context = new AudioContext({ sampleRate });
    const sound = context.createBuffer(1, bytes.length / 2, sampleRate);
    sound.copyToChannel(
      Float32Array.from(new Int16Array(bytes.buffer), (y) => y / 32_768),
      0,
    );
    const [source, heard] = [context.createBufferSource(), context.createMediaStreamDestination()];
    Object.assign(source, { buffer: sound, loop: true });
    source.connect(heard);
    source.start();
    await context.resume();
    return heard.stream;
  };
}

/** Nobody allows it. */
export function refusedSoundInput(): void {
  navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException("Permission denied", "NotAllowedError");
  };
}
