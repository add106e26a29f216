import type { Output } from "@followspot/contract";
import type { Db } from "../platform/database.ts";

export interface OutputRow {
  readonly id: string;
  readonly protocol: "artnet" | "sacn";
  readonly host: string;
  /** 0 means the protocol's own. */
  readonly port: number;
  readonly universe: number;
  readonly port_address: number;
  /** Positive sends later. */
  readonly offset_ms: number;
  readonly enabled: boolean;
}

export async function listOutputRows(db: Db): Promise<readonly OutputRow[]> {
  return db<OutputRow[]>`
    select id, protocol, host, port, universe, port_address, offset_ms, enabled from outputs order by place`;
}

export async function replaceOutputs(db: Db, outputs: readonly OutputRow[]): Promise<void> {
  await db`delete from outputs`;
  for (const [place, output] of outputs.entries()) await db`insert into outputs ${db({ ...output, place })}`;
}

/** The outputs as the stage takes them. */
export async function listOutputs(db: Db): Promise<readonly Output[]> {
  const rows = await listOutputRows(db);
  return rows.map(({ port, port_address, offset_ms, ...output }) => ({
    ...output,
    ...(port !== 0 && { port }),
    portAddress: port_address,
    // The stage counts how far light leads; the contract how much later it is sent.
    offsetMs: 0 - offset_ms,
  }));
}
