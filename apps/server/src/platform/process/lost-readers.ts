/**
 * Keeps a process running when the reader of its output has ended, for example a closed pipe. Without a listener, the
 * next line would raise an error that ends the process, during a show or a graceful shutdown.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
