/** Returns the time on the context's clock of the sound that leaves the speakers now, seconds. */
export function heardNow(context: AudioContext): number {
  const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp?.() ?? {};
  const heard = contextTime + (performance.now() - performanceTime) / 1000;
  // Some browsers report zeros until the context runs.
  const isKnown = contextTime > 0 && heard <= context.currentTime + 0.05 && context.currentTime - heard < 0.5;
  return isKnown ? heard : context.currentTime - (context.outputLatency || 0);
}
