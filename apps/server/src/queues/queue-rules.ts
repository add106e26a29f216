import { STREAMS } from "@followspot/contract";

/** What may be done with a stream of ours; a sentence says why not. */
interface QueueRule {
  readonly whyNotPaused: string;
  readonly whyNotPurged: string;
}

const { songs, stems, responses, failures, events } = STREAMS;
const ANYTHING: QueueRule = { whyNotPaused: "", whyNotPurged: "" };

/**
 * What the product relies on is neither paused nor purged. Doorbells of jobs are both: the jobs themselves stand in the
 * database, which rings again.
 */
const RULES: Readonly<Record<string, QueueRule>> = {
  [songs.name]: ANYTHING,
  [stems.name]: ANYTHING,
  [failures.name]: {
    ...ANYTHING,
    whyNotPaused: `${failures.name} is a log without workers: there is nothing to pause.`,
  },
  [responses.name]: {
    whyNotPaused: `${responses.name} is never paused: it brings what workers have finished, and their songs would be worked on again.`,
    whyNotPurged: `${responses.name} is never purged: what workers have finished would be lost, and worked on again.`,
  },
  [events.name]: {
    whyNotPaused: `${events.name} is never paused: open pages, stage screens and ended sign-ins hear of every change through it.`,
    whyNotPurged: `${events.name} is never purged: pages that were away catch up from it.`,
  },
};

/** Undefined for a stream that is not ours. */
export function ruleOf(stream: string): QueueRule | undefined {
  return Object.hasOwn(RULES, stream) ? RULES[stream] : undefined;
}
