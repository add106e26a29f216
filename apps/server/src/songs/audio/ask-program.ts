import type { HelperNeeds } from "../../platform/process/helper-account.ts";
import { plainEnvironment } from "../../platform/process/programs.ts";
import { AudioError } from "./audio-error.ts";
import { startProgram } from "./child-program.ts";
import { programFault } from "./program-fault.ts";

const MAX_CHARACTERS = 10_000;

/**
 * Returns what a program prints to stdout, or why it failed.
 * @param helper set for a program that runs with restricted permissions
 */
export async function askProgram(
  path: string,
  args: readonly string[],
  timeoutMs: number,
  helper?: HelperNeeds,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  const program = startProgram(path, args, { timeoutMs, env: plainEnvironment(), ...(helper && { helper }) });
  program.process.stdin.end();
  let text = "";
  program.process.stdout.on("data", (bytes: Buffer) => {
    if (text.length < MAX_CHARACTERS) text += bytes.toString();
  });
  try {
    const end = await program.done;
    if (end.code === 0) return { text };
    return { fault: programFault(end) ?? `it ended with exit code ${end.code}${lastWords(end.complaint)}` };
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    return { fault: `it did not answer within ${timeoutMs / 1000} seconds` };
  }
}

/**
 * Returns the last line of a program's error output, which usually names the reason; paths of this server are removed.
 */
function lastWords(complaint: string): string {
  const line = complaint.trim().split("\n").at(-1) ?? "";
  const words = line.replaceAll(/(?:\/[\w.-]+){2,}/g, "…").replaceAll(/\p{Cc}+/gu, " ");
  return words ? `: ${words.slice(0, 120)}` : "";
}
