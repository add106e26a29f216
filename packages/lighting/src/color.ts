/** Linear-light RGB, each 0..1. */
export interface LinearRgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** OKLab in polar form (B. Ottosson, 2020): lightness 0..1, chroma 0..~0.33, hue in degrees. */
export interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** Decodes `#rrggbb` to linear light. */
export function linearOfHex(hex: string): LinearRgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return { r: decode((n >> 16) & 255), g: decode((n >> 8) & 255), b: decode(n & 255) };
}

/** Encodes linear light as `#rrggbb`; channels out of range are clipped. */
export function hexOfLinear({ r, g, b }: LinearRgb): string {
  return `#${[r, g, b].map((v) => encode(v).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the color at full: the same ratio of channels, strongest channel 1. Black stays black. */
export function fullBrightness({ r, g, b }: LinearRgb): LinearRgb {
  const peak = Math.max(r, g, b);
  return peak <= 0 ? { r: 0, g: 0, b: 0 } : { r: r / peak, g: g / peak, b: b / peak };
}

/** Returns the relative luminance of linear sRGB (ITU-R BT.709 primaries). */
export function luminance(r: number, g: number, b: number): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function oklchOfHex(hex: string): Oklch {
  const { l, a, b } = oklabOfLinear(linearOfHex(hex));
  return { l, c: Math.hypot(a, b), h: wrapHue((Math.atan2(b, a) * 180) / Math.PI) };
}

/** Returns the sRGB color of an OKLCH triple. Chroma is reduced until the color is in gamut. */
export function hexOfOklch({ l, c, h }: Oklch): string {
  let chroma = c;
  let rgb = linearOfOklch(l, chroma, h);
  for (let step = 0; step < 40 && !isInGamut(rgb); step++) {
    chroma *= 0.95;
    rgb = linearOfOklch(l, chroma, h);
  }
  return hexOfLinear(rgb);
}

/** Returns the largest chroma that sRGB can show at this lightness and hue. */
export function maxChroma(l: number, h: number): number {
  let low = 0;
  let high = 0.4;
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2;
    if (isInGamut(linearOfOklch(l, middle, h))) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the shortest distance between two hues, 0..180 degrees. */
export function hueDistance(a: number, b: number): number {
  const d = Math.abs(wrapHue(a) - wrapHue(b));
  return Math.min(d, 360 - d);
}

export function wrapHue(h: number): number {
  return ((h % 360) + 360) % 360;
}

/** Converts linear sRGB to OKLab. */
export function oklabOfLinear({ r, g, b }: LinearRgb): { l: number; a: number; b: number } {
  const lab = new Float64Array(3);
  oklabInto(lab, r, g, b);
  return { l: lab[0]!, a: lab[1]!, b: lab[2]! };
}

/** Converts linear sRGB to OKLab in a buffer of three numbers: l, a, b. Allocation free. */
export function oklabInto(out: Float64Array, r: number, g: number, b: number): void {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  out[0] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  out[1] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
}

function linearOfOklch(lightness: number, c: number, h: number): LinearRgb {
  const radians = (h * Math.PI) / 180;
  const a = c * Math.cos(radians);
  const b = c * Math.sin(radians);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return {
    r: 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    g: -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    b: -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  };
}

function isInGamut({ r, g, b }: LinearRgb): boolean {
  const slack = 1e-4;
  return Math.min(r, g, b) >= -slack && Math.max(r, g, b) <= 1 + slack;
}

function decode(byte: number): number {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

function encode(linear: number): number {
  const v = Math.min(1, Math.max(0, linear));
  const srgb = v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
  return Math.round(srgb * 255);
}

const LINEAR = Float64Array.from(
  { length: 256 },
  (_, byte) => linearOfHex(`#0000${byte.toString(16).padStart(2, "0")}`).b,
);

/** Returns the linear light of an sRGB pixel with channels 0..255. */
export const linearOfBytes = (r: number, g: number, b: number): LinearRgb => ({
  r: LINEAR[r]!,
  g: LINEAR[g]!,
  b: LINEAR[b]!,
});
