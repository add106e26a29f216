import { z } from "zod";
import { rigSchema } from "./rig.ts";

/** An Art-Net Port-Address has 15 bits. */
const MAX_ARTNET = 32_767;

/** Where one of our universes goes. Written by an administrator; a show never names a host. */
export const outputSchema = z
  .object({
    id: z.string(),
    protocol: z.enum(["artnet", "sacn"]),
    host: z.string().min(1).max(253),
    port: z.number().int().min(1).max(65535).optional(),
    /** Our universe, 1-based. */
    universe: z.number().int().min(1).max(63999),
    /** Universe on the wire: Art-Net Port-Address 0..32767, sACN universe 1..63999. */
    portAddress: z.number().int().min(0).max(63999),
    /** Light leads the music by this much; negative = later. */
    offsetMs: z.number().min(-2000).max(2000),
    enabled: z.boolean(),
  })
  .refine(({ protocol, portAddress }) => (protocol === "artnet" ? portAddress <= MAX_ARTNET : portAddress >= 1), {
    message: `port address must be 0 to ${MAX_ARTNET} for Art-Net, 1 to 63999 for sACN`,
  });
export type Output = z.infer<typeof outputSchema>;

/** What the stage is told of the lamps; another revision means that rig or outputs have changed. */
export const stageRigSchema = z.object({
  revision: z.number(),
  rig: rigSchema,
  outputs: z.array(outputSchema).readonly(),
});
export type StageRig = z.infer<typeof stageRigSchema>;

const ARTNET_PORT = 6454;
const SACN_PORT = 5568;

export function portOf(output: Output): number {
  return output.port ?? (output.protocol === "artnet" ? ARTNET_PORT : SACN_PORT);
}

const OUTPUT_URL = /^(artnet|sacn):\/\/(?:\[([0-9a-f:.]+)\]|([^/:[\]]+))(?::(\d+))?(?:\/(\d*))?$/i;

/**
 * Parse `artnet://host[:port]/portAddress` or `sacn://host[:port]/universe` for our universe.
 * @throws RangeError naming what is wrong
 */
export function outputOfUrl(text: string, universe = 1): Output {
  const [, scheme, ipv6, name, port, address] = OUTPUT_URL.exec(text) ?? [];
  if (!scheme) {
    throw new RangeError(`output ${text} is not artnet://HOST[:PORT]/ADDRESS or sacn://HOST[:PORT]/UNIVERSE`);
  }
  const protocol = scheme.toLowerCase();
  const parsed = outputSchema.safeParse({
    id: text,
    protocol,
    host: ipv6 ?? name,
    ...(port ? { port: Number(port) } : {}),
    universe,
    portAddress: address ? Number(address) : protocol === "sacn" ? 1 : 0,
    offsetMs: 0,
    enabled: true,
  });
  if (!parsed.success) throw new RangeError(`output ${text}: ${parsed.error.issues[0]?.message ?? "is not valid"}`);
  return parsed.data;
}
