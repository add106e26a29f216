/**
 * A movement effect of a head around its position: how far it goes to either side at full size, degrees, and where it
 * is in its cycle. `phase` counts cycles, any number; both axes return -1..1 of how far they go.
 */
export interface Figure {
  readonly name: string;
  /** Name in the reasons of cues. */
  readonly says: string;
  readonly pan: number;
  readonly tilt: number;
  readonly panAt: (phase: number) => number;
  readonly tiltAt: (phase: number) => number;
  /** Steepest change of each axis, in units per cycle: 2π for a sine. */
  readonly panSlope: number;
  readonly tiltSlope: number;
  /** How the heads of a row share its pan: the halves mirrored, or all outward, the outer heads most. */
  readonly row: "mirrored" | "outwards";
  /** Default delay from the first to the last fixture of the row, cycles. */
  readonly spread: number;
  /** Delay of every second fixture, cycles. */
  readonly alternate: number;
}

const TURN = 2 * Math.PI;
const sine = (phase: number): number => Math.sin(TURN * phase);
const still = (): number => 0;

/**
 * Share of the cycle in which `bounce` moves back from the beat; and in which a fixture of `chase` moves out and back.
 */
const BACK = 0.7;
const TURN_OF_ONE = 1 / 3;

/** Steepest change of `ease`: 1.5 times that of a straight line. */
const EASED = 1.5;
const ease = (share: number): number => share * share * (3 - 2 * share);
const fraction = (phase: number): number => phase - Math.floor(phase);

/** Is at its far end on the beat, moves back slowly, and out faster to the next beat. */
function bounceAt(phase: number): number {
  const at = fraction(phase);
  return 2 * (at < BACK ? 1 - ease(at / BACK) : ease((at - BACK) / (1 - BACK))) - 1;
}

/** Moves out and back in a third of the cycle, then waits for the other heads. */
function chaseAt(phase: number): number {
  const at = fraction(phase) / TURN_OF_ONE;
  if (at >= 1) return 0;
  return at < 0.5 ? ease(2 * at) : ease(2 - 2 * at);
}

const ALIKE = { row: "mirrored", spread: 0, alternate: 0 } as const;

/** Movement effects by the `figure` of a cue. The first one is the default of a cue that moves. */
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

/** Extent of an axis, its shape, and the steepest change of that shape. */
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

/** Returns the index of a figure; 0 for any other text. */
export const figureOf = (name: unknown): number =>
  Math.max(
    0,
    FIGURES.findIndex((each) => each.name === name),
  );
