import { lampColor } from "./harmony.ts";

/** Colors that work well together on LED fixtures: base, second, contrast and more. */
export interface LedPalette {
  readonly id: string;
  readonly name: string;
  /** #rrggbb */
  readonly colors: readonly string[];
}

/** Hues in OKLCH degrees: about 29 red, 55 orange, 100 yellow, 142 green, 195 cyan, 264 blue, 300 violet, 340 pink. */
const HUES: Readonly<Record<string, readonly number[]>> = {
  Ember: [35, 60, 15],
  Campfire: [55, 90, 30],
  Sunset: [45, 15, 330],
  Dusk: [300, 350, 45],
  Afterglow: [20, 345, 85],
  "Golden hour": [85, 60, 40],
  Harvest: [75, 45, 130],
  Citrus: [110, 85, 140],
  Meadow: [135, 105, 180],
  Forest: [150, 125, 85],
  "Emerald city": [160, 190, 95],
  Lagoon: [195, 170, 230],
  Reef: [190, 30, 220],
  "Deep sea": [250, 220, 190],
  Midnight: [268, 290, 230],
  Glacier: [220, 245, 200],
  "Northern lights": [155, 195, 300],
  Orchid: [325, 300, 355],
  Velvet: [350, 320, 20],
  "Rose garden": [5, 340, 140],
  Ultraviolet: [295, 275, 330],
  Neon: [330, 200, 110],
  Arcade: [200, 330, 285],
  Synthwave: [340, 280, 215],
  Carnival: [30, 95, 300, 200],
  Fiesta: [345, 60, 110, 190],
  "Police blue and amber": [262, 70, 235],
  "Red and cyan": [28, 200, 10],
  "Blue and gold": [264, 88, 240],
  "Violet and lime": [302, 125, 280],
  "Magenta and green": [335, 150, 310],
  "Teal and orange": [190, 55, 215],
  Candy: [355, 200, 325],
  Sherbet: [60, 350, 100],
  Desert: [50, 80, 250],
  Storm: [255, 280, 100],
  Cathedral: [290, 265, 75],
  Copper: [50, 35, 185],
  Jungle: [140, 165, 40],
  Prism: [29, 100, 160, 264],
};

/** The palette library. Our own work; each color is as strong as sRGB allows. */
export const LED_PALETTES: readonly LedPalette[] = Object.entries(HUES).map(([name, hues]) => ({
  id: name.toLowerCase().replaceAll(" ", "_"),
  name,
  colors: hues.map((hue) => lampColor(hue)),
}));
