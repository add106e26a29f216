import { ReadableStream, TextDecoderStream } from "node:stream/web";

// Browsers have them, jsdom does not.
Object.assign(globalThis, { ReadableStream, TextDecoderStream });
