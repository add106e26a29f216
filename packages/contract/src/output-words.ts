/*
 * The one truth about outputs in words: the server and the screens say it in these words.
 */

/** What an output is known by. */
export interface NamedOutput {
  readonly label: string;
  readonly protocol: string;
  readonly host: string;
  readonly device: string;
  readonly multicast: boolean;
}

/** What people call an output: its label, else where it goes. */
export function outputName({ label, protocol, host, device, multicast }: NamedOutput): string {
  if (label !== "") return label;
  if (protocol === "enttec_pro" || protocol === "open_dmx") return device;
  return multicast ? "multicast" : host;
}

/** @param why what the stage said last of it; may be empty */
export const outputDown = (name: string, why: string): string =>
  `${name} is down: ${why.replace(/\.$/, "") || "nothing can be sent"}.`;

export const NO_OUTPUT_ON = "No output is on: nothing reaches the lamps. Add one under Outputs.";
