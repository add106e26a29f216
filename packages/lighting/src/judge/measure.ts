/** One number about a show and the band it should lie in. Value undefined: does not apply to this song. */
export interface Measure {
  /** M1..M25 of the show measures, with a letter for variants; R1.. and E1.. are additional measures of our own. */
  readonly id: string;
  readonly name: string;
  readonly value: number | undefined;
  readonly low: number;
  readonly high: number;
  readonly passed: boolean;
}

export function measure(id: string, name: string, value: number | undefined, low: number, high: number): Measure {
  const rounded = value === undefined ? undefined : Math.round(value * 1000) / 1000;
  return {
    id,
    name,
    value: rounded,
    low,
    high,
    passed: rounded === undefined || (rounded >= low - 1e-9 && rounded <= high + 1e-9),
  };
}
