/** Runs work without awaiting it. A failure is logged and does not end the process. */
export function inBackground(name: string, work: Promise<unknown>, warn: (message: string) => void): void {
  work.catch((error: unknown) => warn(`${name} failed: ${error instanceof Error ? error.message : String(error)}`));
}
