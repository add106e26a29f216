import type { ChannelKind } from "@followspot/contract";

/** Function of a range of values, as far as the renderer needs it. */
export type Does =
  /** No function, or off. */
  | "nothing"
  /** Anything that rotates or scrolls stops wherever it is. */
  | "stop"
  /** An amount in proportion to the value. */
  | "level"
  | "open"
  | "closed"
  | "strobe"
  /** A position of a color wheel or macro. */
  | "color"
  /** Never entered: lamp, reset, programs, sound, tests. */
  | "machine"
  | "other";

const NOTHING =
  /^(no\b|none\b|null\b|nothing|not |off\b|idle|unused|reserved|safe\b|normal|neutral|stand-?by$|free$|default|disabled?\b|inactive|empty|invalid|blank\b|static$)|\b(no|without) (function|effect|strob|flash|rotation|gobo|prism|macro|program|fog|haze|smoke|frost|sound|change|action)|(strob\w*|flash|effect|rotation|prism|frost|macro|program|function|sound\w*|shake|fog|haze|smoke|laser|fan|colou?r|speed|chase|mode) *(is )?(off|stop|open|disabled|inactive)\b|^(prism|gobo|frost|iris) (out|open)|\/ ?off$|\bunused\b|\bno function\b|gobo.{0,5}\bopen\b/i;
const STOP =
  /(?<!to )\bstop(s|ped)?\b(?! (in|at) dmx| to )|\bno (rotation|scroll\w*|shak\w*|spin\w*)|(rotation|rotating|scroll\w*|shak\w*|spin\w*) *(is )?off/i;
const MACHINE =
  /re-?set|re-?calibrat|\blamp\b|\bbulb\b|strike|ignit|self.?test|shut ?down|re-?start|re-?boot|power (on|off)|\bauto\b|automat|built.?in|internal|program|\bshows?\b|\bsound\b|sound.?(active|control|mode)|\bmusic|\baudio|\bmic(rophone)?\b|\bmacro|\bchas(e|ing|er)|random|demo|\btest\b|prime|purge|hysteresis|stand.?alone|calibrat|master.?slave|\bslave\b|firmware|factory/i;
const STROBE = /strob|flash|puls|blink|lightning|ramp|flicker|\bhz\b|fast (close|open)|slow (close|open)/i;
const CLOSED = /black ?-?out|clos(e|ed|ing)?\b|^black$|(light|leds?|lamp|beam)s? (is )?off\b|\bdark$/i;
const OPEN =
  /\bopen|full[ -]?on|full intensity|leds? on\b|^on$|(light|turn)s? on\b|on \(?100|dimme?r? at 100|shutter on|full open|no dimming/i;

/** Shutters that are open except for a moving wheel. */
const SHADES = /auto ?shade|slow gobo/i;

/** Returns the function of a range from its description. */
export function doesOf(text: string): Does {
  if (STOP.test(text) && !MACHINE.test(text)) return "stop";
  if (NOTHING.test(text)) return CLOSED.test(text) ? "closed" : "nothing";
  if (MACHINE.test(text)) return "machine";
  if (CLOSED.test(text) && !OPEN.test(text) && !STROBE.test(text)) return "closed";
  if (STROBE.test(text)) return "strobe";
  return OPEN.test(text) && !SHADES.test(text) ? "open" : "other";
}

const CLEAR = /\bopen\b|\bno colou?r$|^no (func\w*|effect|filter|macro|preset)|^(off|none|clear)$|\bmixing enabled/i;
const MOVES =
  /shak|rotat|scroll|spin|puls|dither|index|positioning|proportional|stepped|fast|slow|→|->|…|\.\.|\d *> *\d/i;

/** Whether a color wheel position passes light unchanged, or a color macro leaves the fixture's own colors alone. */
export const isClear = (text: string): boolean =>
  CLEAR.test(text) && !/[/+](?! ?white)/i.test(text) && !MOVES.test(text);

/** Whether nothing in the range moves or changes automatically. */
export const isSteady = (text: string): boolean =>
  !MOVES.test(text) && !/fad(e|ing)|chang|jump|flicker|speed|laser/i.test(text);

const TURNS = /shak|rotat|spin|puls|dither|fast|slow|→|->|…|\.\.| to |\d *> *\d/i;

/**
 * Whether a gobo wheel position passes light unchanged. @param picture file name of the gobo's picture, "" without one
 */
export function isOpenGobo(text: string, picture = ""): boolean {
  if (TURNS.test(text) || CLOSED.test(text)) return false;
  return (
    /\bopen\b|\bno (gobo|pattern)s?\b|^white$|^none$|^empty\b|\bhole\b/i.test(text) || /(^|\/)open\.svg$/i.test(picture)
  );
}

const WAY = String.raw`\s*(?:-+>?|→|>+|to|…|\.+)\s*`;
const OPENING = new RegExp(`(clos\\w*|min\\w*\\.?( \\w+)?)${WAY}(open|max)`, "i");
const CLOSING = new RegExp(`(open|max\\w*\\.?( \\w+)?)${WAY}(clos|min)`, "i");

/** Returns the direction of a shutter or iris range: 1 toward open, -1 toward closed, otherwise 0. */
export const travelOf = (text: string): number =>
  /puls|strob/i.test(text) ? 0 : OPENING.test(text) ? 1 : CLOSING.test(text) ? -1 : 0;

/** Whether an iris passes the whole beam in this range. */
export const isOpenIris = (text: string): boolean =>
  travelOf(text) === 0 && !/puls|strob|sound/i.test(text) && /\bopen\b|^max(imum)? (aperture|diameter)/i.test(text);

const FALLING = /100 ?%? *(\W|to)+ *0 ?%?(\D|$)|bright.*dark|max\w*\.?.*min|big.*small|wide.*narrow|open.*closed/i;

/** Whether the amount of a range falls while its values rise. */
export const isFalling = (text: string): boolean => FALLING.test(text);

const WIDENS = /(narrow|small|spot|min\w*).*(wide|big|large|flood|max)/i;
const NARROWS = /(wide|big|large|flood|max\w*).*(narrow|small|spot|min)/i;

/** Whether the beam of a zoom gets wider while values rise; undefined if the text does not specify it. */
export function widens(text: string): boolean | undefined {
  if (WIDENS.test(text)) return true;
  return NARROWS.test(text) ? false : undefined;
}

/** Colors by name, as filters and LEDs look. Our own list. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/\b(congo)\b/i, "#2b0a8c"],
  [/\b(uv|ultra ?-?violet|black ?light)\b/i, "#4b00ff"],
  [/\b(italian blue)\b/i, "#0090d0"],
  [/\b(brilliant blue)\b/i, "#0077c8"],
  [/\b(light|pale|sky|ice|steel|moonlight|medium) ?-?blue\b/i, "#5aa9ff"],
  [/\b(dark|deep|royal|primary|night|navy|tokyo) ?-?blue\b/i, "#0000c8"],
  [/\b(light|pale|soft) ?-?green\b/i, "#7dff6a"],
  [/\b(dark|deep|primary|forest|moss|leaf) ?-?green\b/i, "#00a000"],
  [/\b(yellow ?-?green|green ?-?yellow)\b/i, "#b8ff00"],
  [/\b(blue ?-?green|green ?-?blue|peacock|teal|jade|sea ?green)\b/i, "#00c090"],
  [/\b(light|pale|soft) ?-?(red|pink|rose)\b/i, "#ff9aa8"],
  [/\b(dark|deep|primary|bright|fire|blood|medium) ?-?red\b/i, "#d80000"],
  [/\b(hot|bright|dark|deep) ?-?pink\b/i, "#ff2a8c"],
  [/\b(light|pale|soft|straw) ?-?yellow\b/i, "#fff08c"],
  [/\b(dark|deep) ?-?(yellow|amber|orange)\b/i, "#ff9000"],
  [/\blight ?-?(lavender|violet|purple|magenta)\b/i, "#c8a0ff"],
  [/\b(turquoise|aqua ?-?marine|aqua)\b/i, "#00e0c8"],
  [/\b(lavender|lilac|mauve)\b/i, "#a070ff"],
  [/\b(violet|purple|indigo)\b/i, "#6a00d8"],
  [/\b(magenta|fuchsia|cerise)\b/i, "#ff00b0"],
  [/\b(pink|rose|salmon)\b/i, "#ff60a0"],
  [/\b(lime|chartreuse)\b/i, "#a8ff20"],
  [/\b(orange|tangerine|ctor?)\b/i, "#ff7800"],
  [/\b(amber|gold|straw)\b/i, "#ffa800"],
  [/\b(canary|lemon|yellow)\b/i, "#ffe600"],
  [/\bcyan\b/i, "#00e5ff"],
  [/\bgreen\b/i, "#00ff00"],
  [/\bblue\b/i, "#0000ff"],
  [/\bred\b/i, "#ff0000"],
  [/\b(ctb|daylight|cold|cool)\b/i, "#dcebff"],
  [/\b(warm|tungsten|2[5-9]00 ?k|3[0-9]00 ?k)\b/i, "#ffdca0"],
  [/\b(white|open|clear|no colou?r)\b/i, "#ffffff"],
];

/** Two colors side by side, a scroll between them, or something that is not a plain color. */
const SPLIT =
  /[/&+]|→|->|<->|\bto\b|half|split|rotat|scroll|rainbow|\bcw\b|\bccw\b|clockwise|index|speed|fade|chang|jump|\bfilter\b/i;

/** Returns a named color as #rrggbb; undefined for two at once and for unknown names. */
export function colorOf(text: string): string | undefined {
  if (SPLIT.test(text)) return undefined;
  return COLOURS.find(([word]) => word.test(text))?.[1];
}

/** Returns the color of a file as #rrggbb; undefined if it is invalid, or black. */
export function hexOf(text: string | undefined): string | undefined {
  const hex = /^#?([0-9a-f]{6})$/i.exec(text?.trim() ?? "")?.[1]?.toLowerCase();
  return hex === undefined || hex === "000000" ? undefined : `#${hex}`;
}

/** Emitters as QLC+ and the Open Fixture Library name them. */
const EMITTERS: Readonly<Record<string, ChannelKind>> = {
  ...{ Red: "red", Green: "green", Blue: "blue", Cyan: "cyan", Magenta: "magenta", Yellow: "yellow" },
  ...{ Amber: "amber", White: "white", "Warm White": "warmWhite", "Cold White": "coolWhite", UV: "uv" },
  ...{ Lime: "lime", Indigo: "indigo" },
};

export const emitterOf = (name: string): ChannelKind | undefined =>
  Object.hasOwn(EMITTERS, name) ? EMITTERS[name] : undefined;
