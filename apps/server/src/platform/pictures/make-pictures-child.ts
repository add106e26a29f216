/**
 * A program of its own that makes WebP pictures out of what people send: turned upright, of the sizes
 * asked for, without anything the file says about its maker or place. It holds no secret and is
 * ended and replaced when a picture takes too long; libvips, which is LGPL, is loaded only here.
 */
import type { Sharp, SharpOptions } from "sharp";
import type { PictureAnswer, PictureRefusal, PictureTask, Rendition } from "./picture-messages.ts";

const MAX_PIXELS = 50_000_000;
/** A picture that needs more than this is given up. */
const MAX_RSS_BYTES = 500_000_000;
/** A program that keeps more than this after a picture ends, so that the next one has room. */
const MAX_KEPT_BYTES = 250_000_000;
const RSS_CHECK_MS = 25;
const QUALITY = 82;
/** What libvips may read; its other loaders are shut off. */
const LOADERS = ["Png", "Jpeg", "Webp", "Nsgif", "Tiff", "Heif", "Svg"].map((name) => `VipsForeignLoad${name}`);
const TYPES = new Set(["png", "jpeg", "webp", "gif", "tiff", "heif", "svg"]);
/** Points per inch at which an SVG has the size it names. */
const SVG_DPI = 72;
const MAX_SVG_DPI = 2400;
/** Longest side a drawing may name. */
const MAX_SVG_SIDE = 30_000;
/** It is drawn so that this is its longest side. */
const DRAWN_SIDE = 1280;

class Refused extends Error {
  readonly code: PictureRefusal;
  constructor(code: PictureRefusal) {
    super(code);
    this.code = code;
  }
}

const sharp = await import("sharp").then(
  ({ default: found }) => found,
  (error: unknown) => void process.stderr.write(`pictures cannot be made here: ${String(error)}\n`),
);
if (sharp) {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
}

const answer = (message: PictureAnswer, done: () => unknown = () => undefined) => process.send?.(message, done);
const guard = setInterval(() => {
  if (process.memoryUsage.rss() < MAX_RSS_BYTES) return;
  clearInterval(guard);
  answer({ kind: "refused", code: "too_heavy" }, () => process.exit(1));
}, RSS_CHECK_MS).unref();
process.on("disconnect", () => process.exit(0));
process.on("message", (task: PictureTask) => {
  void make(task)
    .catch((error: unknown) => (error instanceof Refused ? error.code : refusalOf(error)))
    .then((made) => {
      const message: PictureAnswer =
        typeof made === "string" ? { kind: "refused", code: made } : { kind: "made", pictures: made };
      answer(message, () => process.memoryUsage.rss() > MAX_KEPT_BYTES && process.exit(0));
    });
});

/** librsvg itself gives up what would take too long: "exceeded more than 500000 referenced elements". */
function refusalOf(error: unknown): PictureRefusal {
  return String(error).includes("exceeded more than") ? "too_slow" : "damaged";
}

async function make({ bytes, renditions }: PictureTask): Promise<Uint8Array[]> {
  const open = await opener(bytes);
  const made: Uint8Array[] = [];
  for (const rendition of renditions) made.push(await render(open(), rendition));
  return made;
}

/** The picture's first page at its own size. @throws Refused */
async function opener(bytes: Uint8Array): Promise<() => Sharp> {
  if (!sharp) throw new Refused("no_program");
  if (bytes.length === 0) throw new Refused("unknown_type");
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 };
  const head = await sharp(bytes, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!head || !TYPES.has(head.format)) throw new Refused(isHeic(bytes) ? "heic" : "unknown_type");
  if (head.format === "heif" && head.compression !== "av1") throw new Refused("heic");
  if (head.format !== "svg") {
    if (head.width * head.height > MAX_PIXELS) throw new Refused("too_many_pixels");
    return () => sharp(bytes, options);
  }
  if (!isPlainDrawing(bytes)) throw new Refused("active_svg");
  const side = Math.max(head.width, head.height);
  if (side > MAX_SVG_SIDE) throw new Refused("too_many_pixels");
  // A small drawing is sharp at any size; a large one is not drawn larger than it is shown.
  const density = Math.min(MAX_SVG_DPI, Math.max(1, (SVG_DPI * DRAWN_SIDE) / side));
  return () => sharp(bytes, { ...options, density });
}

function render(picture: Sharp, { fit, side, as = "webp" }: Rendition): Promise<Uint8Array> {
  const sized = picture.autoOrient().resize({ width: side, height: side, fit, withoutEnlargement: fit === "inside" });
  if (as === "webp") return sized.webp({ quality: QUALITY }).toBuffer();
  return sized.flatten({ background: "black" }).toColourspace("srgb").removeAlpha().raw().toBuffer();
}

/** Neither scripts nor entities nor anything that lies outside the file. */
function isPlainDrawing(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  const isActive =
    /<!ENTITY|<!DOCTYPE[^>]*\[|<\?xml-stylesheet|<script|<foreignObject|\son\w+\s*=|javascript:|@import/i;
  const leadsOut = /(?:href\s*=\s*["']?|url\(\s*["']?)\s*(?!["'\s#]|data:image\/(?:png|jpeg|webp|gif);)[^\s]/i;
  return /<svg/i.test(text) && !isActive.test(text) && !leadsOut.test(text);
}

/** Phones name one of these brands at the start of an HEIC file. */
function isHeic(bytes: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(bytes.subarray(4, 12));
  return /^ftyp(?:heic|heix|hevc|heim|heis)/.test(start);
}
