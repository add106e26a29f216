export { findConflicts, packAddresses } from "./addresses.ts";
export type { AddressableLight, AddressConflict, AddressPlan, PackedAddress, UnplacedLight } from "./addresses.ts";
export { hexOfLinear, hexOfOklch, hueDistance, linearOfHex, oklchOfHex } from "./color.ts";
export type { LinearRgb, Oklch } from "./color.ts";
export { compileShow, FLASHES_PER_SECOND } from "./compile-show.ts";
export type { CompiledShow } from "./compile-show.ts";
export { GENERIC_FIXTURES } from "./fixtures.ts";
export { FlashLimiter, GRID_HZ } from "./flash-limiter.ts";
export { planShow } from "./plan/plan-show.ts";
export type { PlanOptions } from "./plan/plan-show.ts";
export { parsRig, REFERENCE_RIGS } from "./reference-rigs.ts";
export {
  blackoutFrame,
  fixtureStates,
  houseLook,
  newFrame,
  renderFrame,
  renderShow,
  rigLight,
} from "./render-frame.ts";
export type { FixtureState, Frame } from "./render-frame.ts";
export { judgePlan } from "./judge/judge-plan.ts";
export type { Measure, RigVerdict, Verdict } from "./judge/judge-plan.ts";
