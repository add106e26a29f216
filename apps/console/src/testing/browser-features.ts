import { ReadableStream, TextDecoderStream } from "node:stream/web";

// Browsers have these; jsdom lacks the streams and only complains about scrolling.
Object.assign(globalThis, { ReadableStream, TextDecoderStream, scrollTo: () => {} });
