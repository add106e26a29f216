export { findConflicts, packAddresses } from "./addresses.ts";
export type { AddressableLight, AddressConflict, AddressPlan, PackedAddress, UnplacedLight } from "./addresses.ts";
export { compileShow } from "./compile-show.ts";
export type { CompiledShow } from "./compiled-show.ts";
export { GENERIC_FIXTURES } from "./fixtures.ts";
export { FlashLimiter } from "./flash-limiter.ts";
export { judgePlan } from "./judge/judge-plan.ts";
export type { Measure, RigVerdict, Verdict } from "./judge/judge-plan.ts";
export { FLASHES_PER_SECOND } from "./limit-flashes.ts";
export { planShow } from "./plan/plan-show.ts";
export type { PlanOptions } from "./plan/plan-show.ts";
export { hashOf } from "./random.ts";
export { parsRig, REFERENCE_RIGS } from "./reference-rigs.ts";
// `renderShow` is what the stage still calls `renderFrame`.
export {
  fixtureStates,
  houseLook,
  newFrame,
  renderFrame,
  renderFrame as renderShow,
  rigLight,
} from "./render-frame.ts";
export type { FixtureState, Frame } from "./render-frame.ts";
