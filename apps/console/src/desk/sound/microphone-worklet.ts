/*
 * Runs in the browser's audio thread: gathers what the microphone hears into blocks of a hundredth of a second, mono, 16
 * bits, and hands them to the page.
 */

/** What the audio thread offers; TypeScript's library knows pages alone. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;

const BLOCK_SAMPLES = Math.round(0.01 * sampleRate);

class MicrophoneProcessor extends AudioWorkletProcessor {
  #block = new Int16Array(BLOCK_SAMPLES);
  #filled = 0;

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const channels = input ?? [];
    const length = channels[0]?.length ?? 0;
    for (let i = 0; i < length; i++) {
      let sum = 0;
      for (const channel of channels) sum += channel[i]!;
      const value = Math.max(-1, Math.min(1, sum / channels.length));
      this.#block[this.#filled++] = Math.round(32_767 * value);
      if (this.#filled < BLOCK_SAMPLES) continue;
      this.port.postMessage(this.#block, [this.#block.buffer]); // it is empty here from now on
      this.#block = new Int16Array(BLOCK_SAMPLES);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor("microphone", MicrophoneProcessor);
