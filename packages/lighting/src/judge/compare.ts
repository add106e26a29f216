export const FAMILIES = ["form", "dynamics", "events", "taste"] as const;
export type Family = (typeof FAMILIES)[number];

export interface Vote {
  readonly id: string;
  readonly family: Family;
  /** "more": higher is better, up to a cap. "band": the distance outside the band counts. */
  readonly wants: "more" | "band";
  readonly cap?: number;
  /** Differences up to this are ties. */
  readonly tie: number;
}

/**
 * Measures that vote in comparisons, and their tie thresholds. Frozen, so that results of different days are
 * comparable.
 */
export const VOTES: readonly Vote[] = [
  { id: "M5", family: "form", wants: "band", tie: 0.3 },
  { id: "M6", family: "form", wants: "more", tie: 0.03 },
  { id: "R1", family: "form", wants: "more", tie: 0.03 },
  { id: "M7", family: "form", wants: "more", tie: 0.04 },
  { id: "M18", family: "form", wants: "band", tie: 0.02 },
  { id: "M4", family: "dynamics", wants: "more", cap: 0.75, tie: 0.03 },
  { id: "M8", family: "dynamics", wants: "more", tie: 0.05 },
  { id: "M9", family: "dynamics", wants: "band", tie: 0.5 },
  { id: "M10", family: "dynamics", wants: "band", tie: 0.03 },
  { id: "M11", family: "events", wants: "more", cap: 0.6, tie: 0.04 },
  { id: "M12", family: "events", wants: "more", tie: 0.01 },
  { id: "M13", family: "events", wants: "more", tie: 0.1 },
  { id: "E1", family: "taste", wants: "more", cap: 0.95, tie: 0.03 },
  { id: "E3", family: "taste", wants: "more", cap: 0.9, tie: 0.03 },
  { id: "E4", family: "taste", wants: "band", tie: 1 },
  { id: "E4b", family: "taste", wants: "band", tie: 0.05 },
  { id: "E7", family: "taste", wants: "band", tie: 0.05 },
  { id: "R5", family: "taste", wants: "more", cap: 0.5, tie: 0.1 },
  { id: "M15", family: "taste", wants: "band", tie: 0.3 },
  { id: "M16", family: "taste", wants: "band", tie: 0.5 },
  { id: "M17", family: "taste", wants: "band", tie: 0.03 },
  { id: "M17a", family: "taste", wants: "band", tie: 2 },
  { id: "M21", family: "taste", wants: "band", tie: 0.03 },
];
