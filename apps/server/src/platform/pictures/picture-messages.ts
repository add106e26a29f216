/** One of the pictures to make: within a square without cropping, filling it cropped, or filling it stretched. */
export interface Rendition {
  readonly fit: "inside" | "cover" | "fill";
  /** Side of the square in pixels. */
  readonly side: number;
  /** WebP unless the pixels themselves are wanted: RGB, three bytes each, row by row. */
  readonly as?: "webp" | "rgb";
}

/** Why a picture is not taken. */
export type PictureRefusal =
  | "unknown_type"
  | "heic"
  | "damaged"
  | "too_many_pixels"
  | "active_svg"
  | "too_slow"
  | "too_heavy"
  /** It ended its program. */
  | "deadly"
  /** Too many others wait. */
  | "too_many"
  /** The program itself does not run here. */
  | "no_program";

/** Parent → picture program. */
export interface PictureTask {
  readonly bytes: Uint8Array;
  readonly renditions: readonly Rendition[];
}

/** Picture program → parent: the bytes of each rendition in order. */
export type PictureAnswer =
  | { readonly kind: "made"; readonly pictures: readonly Uint8Array[] }
  | { readonly kind: "refused"; readonly code: PictureRefusal };
