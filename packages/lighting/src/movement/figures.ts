/**
 * A figure a head draws around its position: how far it goes, degrees to either side at full size, and where it is in its
 * cycle. `phase` counts cycles, any number; both axes answer -1..1 of how far they go.
 */
export interface Figure {
  readonly name: string;
  /** How reasons call it. */
  readonly says: string;
  readonly pan: number;
  readonly tilt: number;
  readonly panAt: (phase: number) => number;
  readonly tiltAt: (phase: number) => number;
  /** The most each axis changes in a cycle if it kept its fastest pace: 2π for a sine. */
  readonly panSlope: number;
  readonly tiltSlope: number;
  /** How the lamps of a row share its pan: both halves turned to each other, or all outwards, the outer ones most. */
  readonly row: "mirrored" | "outwards";
  /** Part of a cycle the last lamp of a row is behind the first one, unless the cue says so. */
  readonly spread: number;
  /** Part of a cycle every second lamp is behind. */
  readonly alternate: number;
}

const TURN = 2 * Math.PI;
const sine = (phase: number): number => Math.sin(TURN * phase);
const still = (): number => 0;

/** The part of a cycle in which `bounce` leaves its beat, and in which a lamp of `chase` goes and comes back. */
const BACK = 0.7;
const TURN_OF_ONE = 1 / 3;

/** Most each of these changes in a cycle: of `ease` 1.5 times as much as a straight line. */
const EASED = 1.5;
const ease = (share: number): number => share * share * (3 - 2 * share);
const fraction = (phase: number): number => phase - Math.floor(phase);

/** On the beat at its far end, slowly back, and faster out to the next beat. */
function bounceAt(phase: number): number {
  const at = fraction(phase);
  return 2 * (at < BACK ? 1 - ease(at / BACK) : ease((at - BACK) / (1 - BACK))) - 1;
}

/** Out and back in a third of the cycle, then it waits for the others. */
function chaseAt(phase: number): number {
  const at = fraction(phase) / TURN_OF_ONE;
  if (at >= 1) return 0;
  return at < 0.5 ? ease(2 * at) : ease(2 - 2 * at);
}

const ALIKE = { row: "mirrored", spread: 0, alternate: 0 } as const;

/** Figures by the `figure` of a cue. The first one is what a cue draws that moves and names none. */
export const FIGURES: readonly Figure[] = [
  figure("sway", "a sway from side to side", { pan: [60, sine, TURN] }),
  figure("circle", "a circle", {
    pan: [32, sine, TURN],
    tilt: [22, (phase) => Math.cos(TURN * phase), TURN],
  }),
  figure("eight", "an eight", { pan: [40, sine, TURN], tilt: [16, (phase) => sine(2 * phase), 2 * TURN] }),
  figure("wave", "a wave along the row", { tilt: [28, sine, TURN], spread: 1 }),
  figure("cancan", "neighbours up and down in turn", { tilt: [28, sine, TURN], alternate: 0.5 }),
  figure("fan", "opening and closing", {
    pan: [45, (phase) => 0.5 - 0.5 * Math.cos(TURN * phase), TURN / 2],
    row: "outwards",
  }),
  figure("bounce", "a bounce on the beat", { tilt: [24, bounceAt, (2 * EASED) / (1 - BACK)] }),
  figure("chase", "lamp after lamp leaves the row and comes back", {
    tilt: [34, chaseAt, (2 * EASED) / TURN_OF_ONE],
    spread: 1,
  }),
];

/** How far an axis goes, its shape, and how fast that changes. */
type Axis = readonly [degrees: number, at: (phase: number) => number, slope: number];

function figure(
  name: string,
  says: string,
  { pan, tilt, ...row }: { pan?: Axis; tilt?: Axis } & Partial<Pick<Figure, "row" | "spread" | "alternate">>,
): Figure {
  const [panDegrees, panAt, panSlope] = pan ?? [0, still, 0];
  const [tiltDegrees, tiltAt, tiltSlope] = tilt ?? [0, still, 0];
  return { name, says, pan: panDegrees, tilt: tiltDegrees, panAt, tiltAt, panSlope, tiltSlope, ...ALIKE, ...row };
}

/** Index of a figure; of any other text the first one's. */
export const figureOf = (name: unknown): number =>
  Math.max(
    0,
    FIGURES.findIndex((each) => each.name === name),
  );
