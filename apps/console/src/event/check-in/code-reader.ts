import type { Image } from "qr/decode.js";

/** Finds a code in a picture. */
export interface CodeReader {
  /** @returns what the code says; undefined where there is none, or it cannot be read */
  readonly read: (picture: Picture) => Promise<string | undefined>;
}

type Picture = HTMLVideoElement | ImageBitmap;

/** The part of the browser's own reader that is used here; many browsers have none. */
type OwnReaderClass = new (options: { readonly formats: readonly string[] }) => {
  readonly detect: (picture: Picture) => Promise<readonly { readonly rawValue: string }[]>;
};

/** A code fills a good part of what is shown to a camera: more pixels only cost time. */
const MOST_PX = 900;
/** Of one picture, beyond what has to be done. */
const RETRY_MS = 40;

/** The browser's own reader, else the one that comes with the console. @throws when its file did not come */
export async function openCodeReader(): Promise<CodeReader> {
  const { BarcodeDetector: Own } = globalThis as { readonly BarcodeDetector?: OwnReaderClass };
  if (Own) {
    const reader = new Own({ formats: ["qr_code"] });
    return { read: async (picture) => (await reader.detect(picture).catch(() => []))[0]?.rawValue };
  }
  const { default: decodeQR } = await readerFile();
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot draw pictures");
  return {
    read: async (picture) => {
      const image = imageOf(picture, canvas, context);
      try {
        return image && decodeQR(image, { timeLimit: RETRY_MS });
      } catch {
        return undefined; // no code in this picture
      }
    },
  };
}

/** Reads the decoder's file ahead of its first use: a door may be disconnected by then. */
export const preloadCodeReader = (): void => {
  if (!("BarcodeDetector" in globalThis)) readerFile().catch(() => undefined); // asked for again when it is used
};

const readerFile = () => import("qr/decode.js");

function imageOf(picture: Picture, canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): Image | undefined {
  const [width, height] = "videoWidth" in picture ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]; // prettier-ignore
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(1, MOST_PX / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
