/** What this process and its programs write from now on can be read by its own account alone. */
export function keepPrivate(): void {
  process.umask(0o077);
}
