import { ReadableStream, TextDecoderStream } from "node:stream/web";

// Present in browsers; jsdom lacks the streams and media queries, and prints errors about scrolling.
Object.assign(globalThis, {
  ...{ ReadableStream, TextDecoderStream },
  matchMedia: () => ({ matches: false }),
  scrollTo: () => {},
});
