/**
 * Tables that are worth nothing on another day or another machine: codes and links that run out within minutes, counters
 * of tries, messages on their way (the sweeper rings again), and the link that makes the first Admin. `migrations` is
 * made anew with the tables.
 */
export const LEFT_OUT: readonly string[] = [
  "migrations",
  "outbox",
  "login_codes",
  "outgoing_codes",
  "sign_in_links",
  "rate_limits",
  "owner_link",
];

/**
 * What was going on when the backup was taken. Work on songs begins again, and the try that was broken off is not
 * counted: nothing went wrong with it. The queue stands: lamps must not come on by themselves on a machine that was just
 * set up.
 */
export const SETTLE = `
  update song_jobs set state = 'queued', attempt = greatest(attempt - 1, 0), worker = '', lease_token = '',
    lease_until = null, progress = 0, note = ''
  where state = 'running';
  update show_queue set mode = 'stopped', song_id = null, started_at = null, ends_at = null,
    note = 'A backup was restored', revision = revision + 1
  where mode = 'playing'`;
