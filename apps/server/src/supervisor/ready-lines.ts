/**
 * Returns the lines that the terminal shows once Followspot is ready.
 * @param addresses addresses of the console, the best one to share first
 * @param owner one-time key of the owner link; undefined once there is an owner
 */
export function readyLines(
  seconds: number,
  [address, ...others]: readonly [string, ...string[]],
  owner: string | undefined,
): string[] {
  return [
    `\nFollowspot is ready after ${seconds.toFixed(1)} s: ${address}/admin`,
    ...others.map((other) => `Also at ${other}/admin`),
    ...(owner === undefined ? [] : [`Become the owner (works once): ${ownerLink(address, owner)}`]),
  ];
}

/** Returns the address at which the first person becomes the owner. */
export const ownerLink = (address: string, token: string): string => `${address}/admin?owner=${token}`;
