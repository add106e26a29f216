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

/** A microphone that hears the page's own sound so much later. */
export function delayedMicrophone(delayMs: number): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const audio = document.querySelector("audio") as HTMLAudioElement & { captureStream(): MediaStream };
    const context = new AudioContext();
    const delay = context.createDelay(1);
    delay.delayTime.value = delayMs / 1000;
    const heard = context.createMediaStreamDestination();
    context.createMediaStreamSource(audio.captureStream()).connect(delay).connect(heard);
    await context.resume();
    return heard.stream;
  };
}
