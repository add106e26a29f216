/**
 * Colors that work together on a stage, chosen by hand, each with its reason. All of them are pure: at least one of
 * red, green and blue is missing, so none contains white.
 */

/** Colors of fixtures at full, #rrggbb. */
const LAMP = {
  red: "#ff0000",
  crimson: "#ff0038",
  rose: "#ff0070",
  pink: "#ff00a0",
  magenta: "#ff00e0",
  purple: "#c800ff",
  violet: "#9000ff",
  ultraviolet: "#5a00ff",
  blue: "#0000ff",
  royal: "#0040ff",
  azure: "#0080ff",
  sky: "#00b4ff",
  cyan: "#00f0ff",
  turquoise: "#00ffb0",
  emerald: "#00ff60",
  green: "#00ff00",
  lime: "#90ff00",
  gold: "#ffc000",
  amber: "#ff9000",
  orange: "#ff6000",
  vermilion: "#ff3000",
} as const;
type LampColor = keyof typeof LAMP;

/** A color scheme of the table. */
export interface ColorPair {
  readonly name: string;
  /**
   * Colors as #rrggbb: base leads verses, second accompanies it, contrast leads choruses and drops, and held is
   * reserved for the last third.
   */
  readonly colors: readonly [base: string, second: string, contrast: string, held: string];
  /** Songs that it suits best: drive 0 calm .. 1 wild, and valence -1 dark .. 1 bright. */
  readonly drive: number;
  readonly valence: number;
  /** Whether it suits no face; not for songs that are sung throughout. */
  readonly isUnkind: boolean;
  readonly reason: string;
}

type Row = readonly [name: string, colors: readonly [LampColor, LampColor, LampColor, LampColor], drive: number, valence: number, reason: string]; // prettier-ignore

const TABLE: readonly Row[] = [
  ["blue and amber", ["blue", "azure", "amber", "crimson"], 0.4, 0.2, "cold air and warm bodies: the oldest pair of the theatre"],
  ["steel and ember", ["azure", "blue", "vermilion", "gold"], 0.6, -0.2, "fire seen through cold smoke"],
  ["cyan and magenta", ["magenta", "violet", "cyan", "gold"], 0.8, 0.4, "the pair of the clubs: as far apart as two lamps can be"],
  ["red and blue", ["blue", "violet", "red", "amber"], 0.75, -0.5, "the two deepest colours of a lamp, for rock"],
  ["violet and gold", ["violet", "magenta", "gold", "cyan"], 0.5, 0.5, "gold shines on faces, violet fills the air behind them"],
  ["teal and orange", ["turquoise", "sky", "orange", "magenta"], 0.55, 0.6, "the pair of the cinema: skin against its opposite"],
  ["indigo and rose", ["ultraviolet", "blue", "rose", "amber"], 0.3, 0.1, "a late evening, warm where people stand"],
  ["fire", ["red", "vermilion", "amber", "azure"], 0.85, 0.1, "one flame from coal to tip, and the cold answer kept for the end"],
  ["ocean", ["blue", "azure", "cyan", "magenta"], 0.25, 0.0, "one water from deep to shallow"],
  ["ultraviolet", ["ultraviolet", "violet", "magenta", "lime"], 0.95, -0.6, "the air glows as if by itself"],
  ["sunset", ["purple", "rose", "orange", "royal"], 0.35, 0.7, "the sky of a summer evening, from its top to the horizon"],
  ["ice", ["royal", "sky", "cyan", "rose"], 0.65, -0.3, "cold from one end to the other; rose comes as a relief"],
  ["red alone", ["red", "crimson", "red", "ultraviolet"], 0.9, -0.9, "one colour at full is the strongest look there is"],
  ["pink and turquoise", ["pink", "purple", "turquoise", "gold"], 0.6, 0.9, "sweets: bright, and never aggressive"],
  ["ice and blood", ["sky", "azure", "red", "violet"], 0.9, -0.4, "pulse on ice"],
  ["amber and blue", ["amber", "orange", "blue", "cyan"], 0.3, 0.4, "a warm room whose windows are night"],
  ["acid", ["violet", "ultraviolet", "green", "cyan"], 1, -0.3, "green belongs to lasers and to nights without faces"],
  ["forest", ["turquoise", "emerald", "violet", "amber"], 0.35, 0.1, "leaves, and the dusk between them"],
  ["candle", ["amber", "vermilion", "rose", "violet"], 0.08, 0.5, "light one could sing a lullaby by"],
  ["moonlight", ["blue", "ultraviolet", "azure", "amber"], 0.08, -0.4, "the night that theatre paints: blue, and one warm window"],
  ["orchid", ["purple", "pink", "azure", "orange"], 0.25, 0.6, "flowers before a sky"],
  ["neon", ["magenta", "royal", "cyan", "lime"], 0.85, 0.6, "signs over a wet street"],
  ["copper and verdigris", ["orange", "vermilion", "turquoise", "magenta"], 0.5, 0.3, "the metal and what it turns to"],
  ["carmine and azure", ["crimson", "purple", "azure", "gold"], 0.7, 0.2, "a heart and the sky over it"],
  ["gold and violet", ["gold", "orange", "violet", "cyan"], 0.45, 0.9, "a feast: metal and velvet"],
  ["midnight sun", ["royal", "ultraviolet", "gold", "rose"], 0.55, 0.0, "dark all night, and it does not set"],
  ["rose and cyan", ["rose", "crimson", "cyan", "violet"], 0.7, 0.7, "bright against bright, equal in weight"],
  ["lagoon", ["cyan", "azure", "orange", "purple"], 0.4, 0.8, "warm sand behind clear water"],
  ["velvet", ["crimson", "purple", "amber", "azure"], 0.15, -0.1, "a curtain, and the lamp before it"],
  ["storm", ["ultraviolet", "royal", "crimson", "sky"], 0.8, -0.8, "dark mass, and what breaks out of it"],
]; // prettier-ignore

const UNKIND: ReadonlySet<LampColor> = new Set(["green", "lime", "emerald"]);

export const COLOR_PAIRS: readonly ColorPair[] = TABLE.map(([name, colors, drive, valence, reason]) => ({
  name,
  colors: [LAMP[colors[0]], LAMP[colors[1]], LAMP[colors[2]], LAMP[colors[3]]],
  drive,
  valence,
  isUnkind: colors.slice(0, 3).some((color) => UNKIND.has(color)),
  reason,
}));

/** Names of the colors of the table, see `nameOfHue`. */
export const LAMP_COLORS: readonly (readonly [name: string, hex: string])[] = Object.entries(LAMP);
