/**
 * Returns the lines that the terminal shows once Followspot is ready.
 * @param addresses addresses of the console, the best one to share first
 * @param owner one-time key of the owner link; undefined once there is an owner
 * @param fingerprint of our own certificate authority; undefined without one
 */
export function readyLines(
  seconds: number,
  [address, ...others]: readonly [string, ...string[]],
  owner: string | undefined,
  fingerprint?: string,
): string[] {
  return [
    `\nFollowspot is ready after ${seconds.toFixed(1)} s: ${address}/admin`,
    ...others.map((other) => `Also at ${other}/admin`),
    ...(fingerprint === undefined
      ? []
      : [
          `Devices that warn about the certificate open ${address.replace("https:", "http:")}/trust`,
          `Fingerprint of the certificate (SHA-256): ${fingerprint}`,
        ]),
    ...(owner === undefined ? [] : [`Become the owner (works once): ${ownerLink(address, owner)}`]),
  ];
}

/** Returns the address at which the first person becomes the owner. */
export const ownerLink = (address: string, token: string): string => `${address}/admin?owner=${token}`;
