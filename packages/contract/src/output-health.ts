import { z } from "zod";

/*
 * What the stage says of its outputs and of what else is on the wire, as GET /health answers. The API turns it into
 * GetOutputHealth.
 */

const time = z.string();

/** An Art-Net node that answered. */
const artnetNodeSchema = z.object({
  host: z.string(),
  /** UDP port it was asked at. */
  port: z.number(),
  name: z.string(),
  long_name: z.string(),
  port_addresses: z.array(z.number()).readonly(),
  /** Port-Addresses on which it merges two sources. */
  merging: z.array(z.number()).readonly(),
  seen_at: time,
  is_gone: z.boolean(),
});
export type ArtnetNode = z.infer<typeof artnetNodeSchema>;

/** A serial port that may be a DMX adapter. */
const usbDeviceSchema = z.object({
  path: z.string(),
  name: z.string(),
  /** "" when it has none. */
  serial: z.string(),
  protocol: z.enum(["enttec_pro", "open_dmx"]),
});
export type UsbDevice = z.infer<typeof usbDeviceSchema>;

/** Another sender to a universe of ours. */
const foreignSourceSchema = z.object({
  protocol: z.enum(["artnet", "sacn"]),
  address: z.string(),
  /** "" for Art-Net. */
  name: z.string(),
  port_address: z.number(),
  universes: z.array(z.number()).readonly(),
  priority: z.number().optional(),
  seen_at: time,
  /** What it does to the lamps, and what to do about it. */
  advice: z.string(),
});
export type ForeignSource = z.infer<typeof foreignSourceSchema>;

export const outputHealthSchema = z.object({
  sending: z.boolean(),
  rate_hz: z.number(),
  jitter_ms: z.object({ p95: z.number(), max: z.number() }),
  late_frames: z.number(),
  outputs: z
    .array(
      z.object({
        id: z.string(),
        state: z.enum(["sending", "silent", "down"]),
        since: time,
        last_error: z.string(),
        packets: z.number(),
        send_errors: z.number(),
        node_name: z.string(),
        node_seen_at: time.optional(),
      }),
    )
    .readonly(),
  nodes: z.array(artnetNodeSchema).readonly(),
  devices: z.array(usbDeviceSchema).readonly(),
  foreign_sources: z.array(foreignSourceSchema).readonly(),
  /** Sentences about what is wrong beside single outputs, and what to do. */
  notices: z.array(z.string()).readonly(),
  searching_until: time.optional(),
  /** Why no output sends, if another machine on the same database drives the fixtures. */
  withheld_because: z.string().optional(),
});
export type OutputsHealth = z.infer<typeof outputHealthSchema>;
