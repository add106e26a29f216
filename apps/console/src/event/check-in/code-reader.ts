import type { Image } from "qr/decode.js";

/** Reads QR codes in images. */
export interface CodeReader {
  /** @returns text of the code; undefined if there is no readable code */
  readonly read: (picture: Picture) => Promise<string | undefined>;
}

type Picture = HTMLVideoElement | ImageBitmap;

/** The subset of the browser's BarcodeDetector that is used here; many browsers have none. */
type OwnReaderClass = new (options: { readonly formats: readonly string[] }) => {
  readonly detect: (picture: Picture) => Promise<readonly { readonly rawValue: string }[]>;
};

/** Maximum image size, pixels. A code fills much of the image, so more pixels only cost time. */
const MOST_PX = 900;
/** Additional time for retries per image, ms. */
const RETRY_MS = 40;

/**
 * Opens the browser's own QR reader, otherwise the bundled one.
 * @throws if the bundled reader could not be loaded
 */
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
        return undefined; // no code in this image
      }
    },
  };
}

/** Loads the bundled decoder before its first use, because the door may be offline by then. */
export const preloadCodeReader = (): void => {
  if (!("BarcodeDetector" in globalThis)) readerFile().catch(() => undefined); // retried on first use
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
