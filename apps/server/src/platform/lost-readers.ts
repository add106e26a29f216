/**
 * Lets a process go on when no program reads its output any more, such as a pipe whose other end has ended. Without a
 * listener its next line would be an error that ends it, in the middle of a show or of stopping in order.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
