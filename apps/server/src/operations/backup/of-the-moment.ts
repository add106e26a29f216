import { OF_THE_INSTALLATION } from "../../platform/database/communities.ts";

/**
 * Tables that are useless on another day or another machine: codes and links that expire within minutes, attempt
 * counters, stored answers of calls, pending messages (the sweeper publishes them again), the link that creates the first admin, the standby
 * role, the lease of the stage, and open players. The installation's own tables are recreated with them.
 */
export const LEFT_OUT: readonly string[] = [
  ...Object.keys(OF_THE_INSTALLATION),
  "outbox",
  "login_codes",
  "outgoing_codes",
  "sign_in_links",
  "rate_limits",
  "idempotency_keys",
  "owner_link",
  "lamp_part",
  "stage_lease",
  "open_players",
];

/**
 * Ends activities that were in progress at the time of the backup. Work on songs starts again, and the interrupted
 * attempt is not counted. The queue is paused, so that the fixtures of a new machine do not turn on automatically. The
 * playing time up to the last heartbeat is recorded.
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
