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

/** Sends each message at its time, with that time as its time stamp. Returns at once. */
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

/** Replaces the sound input by one that loops these samples from the moment it is opened: 16-bit PCM, base64. */
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

/** Replaces the microphone by one that records the page's clicks with a delay and some noise. */
export function fakeRoom(delayMs: number): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const sampleRate = 48_000;
    const context = new AudioContext({ sampleRate });
    await context.resume();
    const heard = context.createMediaStreamDestination();
    const play = (samples: readonly number[], atSeconds = 0, loop = false) => {
      const source = context.createBufferSource();
      const buffer = context.createBuffer(1, samples.length, sampleRate);
      buffer.copyToChannel(Float32Array.from(samples), 0);
      Object.assign(source, { buffer, loop });
      source.connect(heard);
      source.start(atSeconds);
    };
    const noise = Array.from({ length: sampleRate }, () => (Math.random() * 2 - 1) * 0.003);
    play(noise, 0, true);
    // A sweep from 1.5 to 6 kHz in 8 ms, as the page plays it at each whole second.
    const click = Array.from({ length: 384 }, (_, i) => {
      const t = i / sampleRate;
      return 0.3 * Math.sin(2 * Math.PI * (1500 * t + (4500 / 0.016) * t * t)) * Math.sin((Math.PI * i) / 384);
    });
    // Both clocks advance in steps, and late on a busy page, so the median of many readings is used.
    const readings: { song: number; sound: number }[] = [];
    const middle = (which: "song" | "sound") =>
      readings.map((each) => each[which]).sort((a, b) => a - b)[readings.length >> 1]!;
    let last = -1;
    const timer = setInterval(() => {
      if (heard.stream.getTracks().every(({ readyState }) => readyState === "ended")) {
        clearInterval(timer);
        return void context.close();
      }
      const audio = document.querySelector("audio");
      if (!audio || audio.paused) return void (readings.length = 0);
      const now = performance.now() / 1000;
      readings.push({ song: audio.currentTime - now, sound: context.currentTime - now });
      if (readings.length > 60) readings.shift();
      const time = now + middle("song");
      const next = Math.ceil(time + 0.05);
      if (readings.length < 30 || next === last || next - time > 0.4) return;
      last = next;
      play(click, next - middle("song") + middle("sound") + delayMs / 1000);
    }, 20);
    return heard.stream;
  };
}

/**
 * To run before the page's scripts: replaces the microphone by one that records the page's first audio output with a
 * delay.
 */
export function fakeEcho(delayMs: number): void {
  const connect = AudioNode.prototype.connect as (...args: unknown[]) => AudioNode;
  let [played, heard]: (AudioNode | undefined)[] = [];
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    const [to] = args;
    if (to instanceof AudioDestinationNode) {
      const context = this.context as AudioContext;
      if (!heard) {
        heard = context.createMediaStreamDestination();
        played = context.createDelay(2);
        connect.call(played, heard);
      }
      if (heard.context === context) connect.call(this, played);
    }
    return connect.apply(this, args);
  } as typeof AudioNode.prototype.connect;
  navigator.mediaDevices.getUserMedia = async () => {
    // A microphone records it after the sound card, but this one taps it before.
    const { outputLatency } = heard!.context as AudioContext;
    (played as DelayNode).delayTime.value = delayMs / 1000 + outputLatency;
    // The page measures on a separate stream, and stops it.
    return (heard as MediaStreamAudioDestinationNode).stream.clone();
  };
}

/** The browser denies access to it. */
export function refusedSoundInput(): void {
  navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException("Permission denied", "NotAllowedError");
  };
}

/**
 * Replaces the camera by one that shows a picture, rotated by some degrees, in gray light. @param picture PNG, base64
 */
export function fakeCamera({ picture, degrees }: { readonly picture: string; readonly degrees: number }): void {
  navigator.mediaDevices.getUserMedia = async () => {
    const held = new Image();
    held.src = `data:image/png;base64,${picture}`;
    await held.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d")!;
    const draw = () => {
      context.resetTransform();
      context.fillStyle = "#777";
      context.fillRect(0, 0, 640, 480);
      context.translate(320, 240);
      context.rotate((degrees * Math.PI) / 180);
      context.drawImage(held, -150, -150, 300, 300);
    };
    draw();
    setInterval(draw, 50);
    return canvas.captureStream(20);
  };
}
