import type { Output, OutputProtocol } from "@followspot/contract";
import type { Db } from "../platform/database/database.ts";

/** Settings of an output. */
export interface OutputFields {
  readonly protocol: OutputProtocol;
  readonly label: string;
  /** "" for multicast and USB. */
  readonly host: string;
  /** 0 means the protocol's default. */
  readonly port: number;
  readonly multicast: boolean;
  /** "" leaves the choice to the system. */
  readonly local_address: string;
  readonly priority: number;
  /** "" unless it is a USB adapter. */
  readonly device: string;
  readonly device_serial: string;
  readonly universe: number;
  readonly port_address: number;
  /** Positive values delay the output, ms. */
  readonly offset_ms: number;
  /** 0 means the protocol's highest rate. */
  readonly rate_hz: number;
  readonly enabled: boolean;
}

export interface OutputRow extends OutputFields {
  readonly id: string;
  readonly updated_at: Date;
}

export async function listOutputRows(db: Db): Promise<readonly OutputRow[]> {
  return db<OutputRow[]>`
    select id, protocol, label, host, port, multicast, local_address, priority, device, device_serial, universe,
      port_address, offset_ms, rate_hz, enabled, updated_at
    from outputs order by place, id`;
}

export async function replaceOutputs(
  db: Db,
  outputs: readonly (OutputFields & { readonly id: string })[],
): Promise<void> {
  await db`delete from outputs`;
  for (const [place, output] of outputs.entries()) await db`insert into outputs ${db({ ...output, place })}`;
}

/** Appends an output. @returns false if the ID is taken */
export async function insertOutput(db: Db, output: OutputFields & { readonly id: string }): Promise<boolean> {
  const [last] = await db<{ place: number }[]>`select coalesce(max(place), 0) as place from outputs`;
  const rows = await db`
    insert into outputs ${db({ ...output, place: (last?.place ?? 0) + 1 })} on conflict (id, community_id) do nothing returning id`;
  return rows.length === 1;
}

export async function updateOutput(db: Db, id: string, fields: OutputFields): Promise<void> {
  await db`update outputs set ${db({ ...fields, updated_at: new Date() })} where id = ${id}`;
}

export async function removeOutput(db: Db, id: string): Promise<void> {
  await db`delete from outputs where id = ${id}`;
}

/** Returns the outputs in the format of the stage. */
export async function listOutputs(db: Db): Promise<readonly Output[]> {
  return (await listOutputRows(db)).map((row) => ({
    id: row.id,
    protocol: row.protocol,
    host: row.host,
    universe: row.universe,
    portAddress: row.port_address,
    enabled: row.enabled,
    // The stage counts how far light leads; the contract how much later it is sent.
    offsetMs: 0 - row.offset_ms,
    ...(row.port !== 0 && { port: row.port }),
    ...(row.label !== "" && { label: row.label }),
    ...(row.multicast && { multicast: true }),
    ...(row.local_address !== "" && { localAddress: row.local_address }),
    ...(row.protocol === "sacn" && row.priority !== 100 && { priority: row.priority }),
    ...(row.rate_hz !== 0 && { rateHz: row.rate_hz }),
    ...(row.device !== "" && { device: row.device }),
    ...(row.device_serial !== "" && { deviceSerial: row.device_serial }),
  }));
}
