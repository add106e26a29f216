import { OF_THE_INSTALLATION } from "../platform/communities.ts";

/**
 * Tables that are worth nothing on another day or another machine: codes and links that run out within minutes, counters
 * of tries, messages on their way (the sweeper rings again), the link that makes the first Admin, which of two machines
 * drives the lamps, and which players are open. What the installation's own tables say is made anew with them.
 */
export const LEFT_OUT: readonly string[] = [
  ...Object.keys(OF_THE_INSTALLATION),
  "outbox",
  "login_codes",
  "outgoing_codes",
  "sign_in_links",
  "rate_limits",
  "owner_link",
  "lamp_part",
  "open_players",
];

/**
 * What was going on when the backup was taken. Work on songs begins again, and the try that was broken off is not
 * counted: nothing went wrong with it. The queue stands: lamps must not come on by themselves on a machine that was just
 * set up. What was heard of the song, by the last heartbeat, is written down.
 */
export const SETTLE = `
  update song_jobs set state = 'queued', attempt = greatest(attempt - 1, 0), worker = '', lease_token = '',
    lease_until = null, progress = 0, note = ''
  where state = 'running';
  update played_songs song set
    heard_seconds = heard_seconds + greatest(0, least(seconds, extract(epoch from beat_at - queue.started_at)) - heard_from),
    ended_at = greatest(ended_at, least(beat_at, queue.started_at + make_interval(secs => seconds)))
  from show_queue queue, heartbeat
  where queue.turn = song.turn and heard_from is not null and queue.started_at is not null and beat_at is not null;
  update played_songs set heard_from = null where heard_from is not null;
  update show_queue set outage_since = null, outage_revision = null;
  update show_queue set mode = 'stopped', song_id = null, started_at = null, ends_at = null, walk_in_db = null,
    note = 'A backup was restored', revision = revision + 1
  where mode = 'playing'`;
