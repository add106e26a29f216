import { STREAMS } from "@followspot/contract";

/** Permitted operations on one of our streams; a sentence explains a prohibition. */
interface QueueRule {
  readonly whyNotPaused: string;
  readonly whyNotPurged: string;
}

const { songs, stems, responses, failures, events } = STREAMS;
const ANYTHING: QueueRule = { whyNotPaused: "", whyNotPurged: "" };

/**
 * Rules per stream. Streams that the product relies on can be neither paused nor purged. Job streams allow both,
 * because jobs are stored in the database and their messages are published again.
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

/** Returns the rule of a stream; undefined if it is not ours. */
export function ruleOf(stream: string): QueueRule | undefined {
  return Object.hasOwn(RULES, stream) ? RULES[stream] : undefined;
}
