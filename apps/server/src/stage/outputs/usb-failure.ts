/** A problem with an adapter that a user can solve; the message is a sentence for the user. */
export class UsbError extends Error {}

/** Explains a failed open or write in a sentence that names the adapter. */
export function usbFailure(error: unknown, device: string): string {
  if (error instanceof UsbError) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  if ((error as { code?: string } | null)?.code === "ERR_MODULE_NOT_FOUND") {
    return "USB adapters need the package @serialport/bindings-cpp, which is not installed on this machine. Run npm ci there.";
  }
  if (/no such|not found|ENOENT|ENXIO|ENODEV/i.test(text)) return `There is no USB adapter at ${device}. Plug it in.`;
  if (/permission|access denied|EACCES/i.test(text)) {
    return `This machine does not allow ${device} to be opened. Add the user who runs Followspot to its group, mostly dialout.`;
  }
  if (/lock|busy|temporarily/i.test(text)) return `Another program uses ${device}. Close it.`;
  if (/ioctl|not a tty|ENOTTY|inappropriate/i.test(text))
    return `${device} is no serial port. Choose the adapter again.`;
  return `The USB adapter at ${device} failed (${text.replace(/^Error:?\s*/, "")})`;
}
