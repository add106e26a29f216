/** Makes files written from now on by this process and its children readable for its own account only. */
export function keepPrivate(): void {
  process.umask(0o077);
}
