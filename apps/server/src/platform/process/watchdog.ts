import { execFile } from "node:child_process";

/** Notifications per interval of the watchdog, so that a late or lost one does not end a healthy service. */
const PER_INTERVAL = 4;
/** Timeout of one notification, ms. */
const NOTIFY_MS = 5000;

/**
 * Notifies the watchdog of systemd while the event loop of this process runs (`WatchdogSec=`, sd_watchdog_enabled(3)).
 * Node has no datagram sockets of the file system, so the program systemd-notify sends each message.
 * @param env of this process, from systemd
 * @returns function that stops the notifications; undefined if no watchdog watches this process
 */
export function notifyWatchdog(env: NodeJS.ProcessEnv, warn: (message: string) => void): (() => void) | undefined {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID } = env;
  const intervalMs = Number(WATCHDOG_USEC) / 1000;
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  if (!NOTIFY_SOCKET || !(intervalMs > 0) || !isOurs) return undefined;
  const notify = () =>
    execFile("systemd-notify", ["WATCHDOG=1"], { env, timeout: NOTIFY_MS }, (error) => {
      if (error) warn(`systemd's watchdog could not be notified: ${error.message.trim()}`);
    });
  notify();
  const timer = setInterval(notify, intervalMs / PER_INTERVAL);
  timer.unref();
  return () => clearInterval(timer);
}
