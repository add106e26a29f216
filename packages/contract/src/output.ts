import { z } from "zod";
import { rigSchema } from "./rig.ts";

/** How a universe travels; the last two are USB adapters. */
export const OUTPUT_PROTOCOLS = ["artnet", "sacn", "enttec_pro", "open_dmx"] as const;
export type OutputProtocol = (typeof OUTPUT_PROTOCOLS)[number];

/** An Art-Net Port-Address has 15 bits. */
const MAX_ARTNET = 32_767;

/** Where one of our universes goes. Written by an administrator; a show never names a host. */
export const outputSchema = z
  .object({
    id: z.string(),
    protocol: z.enum(OUTPUT_PROTOCOLS),
    /** Empty for multicast and USB. */
    host: z.string().max(253),
    port: z.number().int().min(1).max(65535).optional(),
    /** Our universe, 1-based. */
    universe: z.number().int().min(1).max(63999),
    /** Universe on the wire: Art-Net Port-Address 0..32767, sACN universe 1..63999; 0 for USB. */
    portAddress: z.number().int().min(0).max(63999),
    /** Light leads the music by this much; negative = later. */
    offsetMs: z.number().min(-2000).max(2000),
    enabled: z.boolean(),
    /** What people call it. */
    label: z.string().optional(),
    /** sACN only: to the multicast group of the universe, in place of a host. */
    multicast: z.boolean().optional(),
    /** Address of the network card multicast leaves from; absent leaves the choice to the system. */
    localAddress: z.string().optional(),
    /** sACN only, 0..200; absent means 100. */
    priority: z.number().int().min(0).max(200).optional(),
    /** Frames a second at the most; absent means as many as the protocol carries. */
    rateHz: z.number().int().min(1).max(44).optional(),
    /** USB only: path of the serial port. */
    device: z.string().max(200).optional(),
    /** USB only: serial number of the adapter, by which it is found again at another path. */
    deviceSerial: z.string().optional(),
    /** Whether the output is open and sends nothing, because another machine drives the fixtures. */
    withheld: z.boolean().optional(),
  })
  .superRefine(({ protocol, portAddress, host, multicast, device }, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    if (protocol === "artnet" && portAddress > MAX_ARTNET)
      refuse(`port address must be 0 to ${MAX_ARTNET} for Art-Net`);
    if (protocol === "sacn" && portAddress < 1) refuse("port address must be 1 to 63999 for sACN");
    if (isUsb(protocol) ? !device : !multicast && host === "") refuse("it goes nowhere: host or device is missing");
  });
export type Output = z.infer<typeof outputSchema>;

export function isUsb(protocol: OutputProtocol): protocol is "enttec_pro" | "open_dmx" {
  return protocol === "enttec_pro" || protocol === "open_dmx";
}

/** What the stage is told of the lamps; another revision means that rig or outputs have changed. */
export const stageRigSchema = z.object({
  revision: z.number(),
  rig: rigSchema,
  outputs: z.array(outputSchema).readonly(),
  /** Why the outputs of this machine are withheld, if another machine on the same database drives the fixtures. */
  withheldBecause: z.string().optional(),
});
export type StageRig = z.infer<typeof stageRigSchema>;

/** UDP port of the protocol. */
export const ARTNET_PORT = 6454;
export const SACN_PORT = 5568;

export function portOf(output: Output): number {
  return output.port ?? (output.protocol === "artnet" ? ARTNET_PORT : SACN_PORT);
}

/** The multicast group of a sACN universe (E1.31 §9.3.1). */
export function multicastGroup(universe: number): string {
  return `239.255.${universe >> 8}.${universe & 255}`;
}

/** Where an output goes, in one word for people. */
export function targetOf({ protocol, host, multicast, portAddress, device = "" }: Output): string {
  if (isUsb(protocol)) return device;
  return `${multicast ? "multicast" : host}/${portAddress}`;
}

const NETWORK_URL =
  /^(artnet|sacn):\/\/(?:\[([0-9a-f:.]+)\]|([^/:[\]?]+))(?::(\d+))?(?:\/(\d*))?(?:\?priority=(\d+))?$/i;
const USB_URL = /^(enttec_pro|open_dmx):\/\/(\/?[^?]+)$/i;

/**
 * Parse `artnet://HOST[:PORT]/ADDRESS`, `sacn://HOST[:PORT]/UNIVERSE[?priority=P]`, where the host may be `multicast`,
 * or `enttec_pro://DEVICE` and `open_dmx://DEVICE` for our universe.
 * @throws RangeError naming what is wrong
 */
export function outputOfUrl(text: string, universe = 1): Output {
  const [, usb, device] = USB_URL.exec(text) ?? [];
  const [, scheme, ipv6, name, port, address, priority] = NETWORK_URL.exec(text) ?? [];
  const protocol = (usb ?? scheme)?.toLowerCase();
  if (!protocol) {
    throw new RangeError(
      `output ${text} is not artnet://HOST[:PORT]/ADDRESS, sacn://HOST[:PORT]/UNIVERSE, enttec_pro://DEVICE or open_dmx://DEVICE`,
    );
  }
  const multicast = protocol === "sacn" && name === "multicast";
  const parsed = outputSchema.safeParse({
    id: text,
    protocol,
    host: usb || multicast ? "" : (ipv6 ?? name),
    ...(port && { port: Number(port) }),
    universe,
    portAddress: usb ? 0 : address ? Number(address) : protocol === "sacn" ? 1 : 0,
    offsetMs: 0,
    enabled: true,
    ...(device && { device }),
    ...(multicast && { multicast }),
    ...(priority && { priority: Number(priority) }),
  });
  if (!parsed.success) throw new RangeError(`output ${text}: ${parsed.error.issues[0]?.message ?? "is not valid"}`);
  return parsed.data;
}
