import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  lightOnStageSchema,
  outputDown,
  outputHealthSchema,
  outputName,
  outputTestAnswerSchema,
  type LightOnStage,
} from "@followspot/contract";
import { GetOutputHealthResponseSchema, OutputSchema, type Output } from "@followspot/contract/lights";
import { requireCaller } from "../platform/caller.ts";
import { change, done, type Entry } from "../platform/database/change.ts";
import type { Db } from "../platform/database/database.ts";
import { alreadyExists, conflict, exhausted, invalid, notFound, unavailable } from "../platform/errors.ts";
import { requireUnchanged } from "../platform/database/if-unchanged.ts";
import { newId } from "../platform/database/ids.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { findLight } from "./lights.store.ts";
import { MAX_OUTPUTS, requireFreeTarget, requireOutput } from "./output-rules.ts";
import * as store from "./outputs.store.ts";
import type { OutputRow } from "./outputs.store.ts";

/** Methods for DMX outputs. Every change takes the lock `patch`, so that two outputs never share a target. */
export function outputMethods({ sql, askStage }: LightsPorts) {
  return {
    listOutputs: async () => ({ outputs: (await store.listOutputRows(sql)).map(toOutput) }),

    setOutputs: async (request, context) => {
      const outputs = request.outputs.map((output, i) => ({
        id: output.id || newId(),
        ...requireOutput(output, `outputs[${i}].`),
      }));
      if (new Set(outputs.map(({ id }) => id)).size < outputs.length) {
        throw invalid("outputs: two outputs have the same id");
      }
      for (const [i, output] of outputs.entries()) requireFreeTarget(output, outputs.slice(0, i));
      const replace = async (tx: Db) => {
        const before = await store.listOutputRows(tx);
        await store.replaceOutputs(tx, outputs);
        const after = await store.listOutputRows(tx);
        const entry = { noun: "output", id: "all", verb: "changed", before, after, topics: TOPICS };
        return done({ outputs: after.map(toOutput) }, entry);
      };
      return change(sql, requireCaller(context), replace, ["patch"]);
    },

    createOutput: async (request, context) => {
      const asked = requireGiven(request.output);
      const fields = { id: asked.id || newId(), ...requireOutput(asked) };
      const insert = async (tx: Db) => {
        const others = await store.listOutputRows(tx);
        if (others.length >= MAX_OUTPUTS) throw exhausted(`There are ${MAX_OUTPUTS} outputs already; delete one first`);
        requireFreeTarget(fields, others);
        if (!(await store.insertOutput(tx, fields))) throw alreadyExists("There is an output with this id already");
        const after = await findOutput(tx, fields.id);
        return done({ output: toOutput(after) }, entryOf("created", undefined, after));
      };
      return change(sql, requireCaller(context), insert, ["patch"]);
    },

    updateOutput: async (request, context) => {
      const caller = requireCaller(context);
      const asked = requireGiven(request.output);
      const fields = requireOutput(asked);
      const update = async (tx: Db) => {
        const before = await findOutput(tx, asked.id);
        await requireUnchanged(tx, caller, { ...before, noun: "output", word: "output" }, request.ifUpdatedAt);
        const others = await store.listOutputRows(tx);
        requireFreeTarget(
          fields,
          others.filter(({ id }) => id !== before.id),
        );
        await store.updateOutput(tx, before.id, fields);
        const after = await findOutput(tx, before.id);
        return done({ output: toOutput(after) }, entryOf("updated", before, after));
      };
      return change(sql, caller, update, ["patch"]);
    },

    deleteOutput: async (request, context) => {
      const remove = async (tx: Db) => {
        const before = await findOutput(tx, request.id);
        await store.removeOutput(tx, before.id);
        return done({ success: true }, entryOf("deleted", before, undefined));
      };
      return change(sql, requireCaller(context), remove, ["patch"]);
    },

    getOutputHealth: async () => {
      const told = outputHealthSchema.safeParse(await askStage("/health"));
      if (!told.success) throw unavailable(OTHER_VERSION, told.error);
      return toHealth(told.data);
    },

    getLightOnStage: async ({ id }) => {
      if (!(await findLight(sql, id))) throw notFound("Light", id);
      const told = lightOnStageSchema.safeParse(await askStage(`/lights/${id}`));
      if (!told.success) throw unavailable(OTHER_VERSION, told.error);
      return toLightOnStage(told.data);
    },

    testOutput: async ({ id, takeOver }, context) => {
      const output = await findOutput(sql, id);
      const order = { output: id, by: requireCaller(context).userId, take_over: takeOver };
      const begun = Date.now();
      const told = outputTestAnswerSchema.safeParse(await askStage("/outputs/test", order));
      if (!told.success) throw unavailable(OTHER_VERSION, told.error);
      const { data } = told;
      if (data.state === "off") throw conflict(`${outputName(output)} is off. Turn it on first.`);
      if (data.state === "blackout") throw conflict("Blackout is on at the desk. End it first.");
      if (data.state === "held") return { sent: false, holder: data.holder, holderName: data.holder_name };
      await sleep(data.seconds * 1000 + AFTERGLOW_MS);
      const health = outputHealthSchema.safeParse(await askStage("/health"));
      if (!health.success) throw unavailable(OTHER_VERSION, health.error);
      const now = health.data.outputs.find((each) => each.id === id);
      const down = now?.state === "down" ? outputDown(outputName(output), now.last_error) : "";
      return {
        sent: true,
        lamps: data.lamps,
        trouble: health.data.withheld_because ?? down,
        echo: echoOf(output.protocol, now?.node_seen_at, begun),
        nodeName: now?.node_name ?? "",
      };
    },

    findNodes: async () => {
      const { searching_until: until } = outputHealthSchema
        .pick({ searching_until: true })
        .parse(await askStage("/search", {}));
      return until === undefined ? {} : { searchingUntil: timestampFromDate(new Date(until)) };
    },
  } satisfies LightsMethods;
}

/** Wait for late reports after the end of a test, ms. */
const AFTERGLOW_MS = 300;
/** Age up to which a reply before a test counts, ms; nodes are polled every three seconds. */
const ASKED_EVERY_MS = 3500;

function echoOf(protocol: string, seenAt: string | undefined, begunMs: number): string {
  if (protocol !== "artnet") return "unheard";
  return seenAt !== undefined && Date.parse(seenAt) >= begunMs - ASKED_EVERY_MS ? "answered" : "unanswered";
}

const OTHER_VERSION = "The stage gave no usable answer; it may be of another version";

/** Topics of consoles with a list of outputs, and of clients that follow the stage. */
const TOPICS = ["lights", "stage"];

function requireGiven(output: Output | undefined): Output {
  if (!output) throw invalid("output: is missing");
  return output;
}

async function findOutput(db: Db, id: string): Promise<OutputRow> {
  const row = (await store.listOutputRows(db)).find((output) => output.id === id);
  if (!row) throw notFound("Output", id);
  return row;
}

function entryOf(verb: string, before: OutputRow | undefined, after: OutputRow | undefined): Entry {
  const id = (after ?? before)?.id ?? "";
  return { noun: "output", id, verb, before, after, topics: TOPICS, payload: { output_id: id } };
}

function toOutput(row: OutputRow): Output {
  return create(OutputSchema, {
    id: row.id,
    protocol: row.protocol,
    label: row.label,
    host: row.host,
    port: row.port,
    multicast: row.multicast,
    localAddress: row.local_address,
    device: row.device,
    deviceSerial: row.device_serial,
    universe: row.universe,
    portAddress: row.port_address,
    offsetMs: row.offset_ms,
    rateHz: row.rate_hz,
    enabled: row.enabled,
    updatedAt: timestampOf(row.updated_at),
    ...(row.protocol === "sacn" && { priority: row.priority }),
  });
}

function toHealth(told: ReturnType<typeof outputHealthSchema.parse>) {
  return create(GetOutputHealthResponseSchema, {
    sending: told.sending,
    rateHz: told.rate_hz,
    lateP95Ms: told.jitter_ms.p95,
    lateMaxMs: told.jitter_ms.max,
    lateFrames: told.late_frames,
    outputs: told.outputs.map((output) => ({
      id: output.id,
      state: output.state,
      since: timeOf(output.since),
      lastError: output.last_error,
      packets: BigInt(output.packets),
      sendErrors: BigInt(output.send_errors),
      nodeName: output.node_name,
      ...(output.node_seen_at !== undefined && { nodeSeenAt: timeOf(output.node_seen_at) }),
    })),
    nodes: told.nodes.map((node) => ({
      host: node.host,
      port: node.port,
      name: node.name,
      longName: node.long_name,
      portAddresses: [...node.port_addresses],
      merging: [...node.merging],
      seenAt: timeOf(node.seen_at),
      isGone: node.is_gone,
    })),
    devices: [...told.devices],
    foreignSources: told.foreign_sources.map((source) => ({
      protocol: source.protocol,
      address: source.address,
      name: source.name,
      portAddress: source.port_address,
      universes: [...source.universes],
      seenAt: timeOf(source.seen_at),
      advice: source.advice,
      ...(source.priority !== undefined && { priority: source.priority }),
    })),
    notices: [...(told.withheld_because ? [told.withheld_because] : []), ...told.notices],
    ...(told.searching_until !== undefined && { searchingUntil: timeOf(told.searching_until) }),
  });
}

function toLightOnStage({ light, next_at: nextAt, ...told }: LightOnStage) {
  return {
    holder: told.holder,
    sourceId: told.source_id,
    position: told.position,
    idle: told.idle,
    blackout: told.blackout,
    master: told.master,
    isKnown: told.is_known,
    ...(light && {
      light: { asked: light.asked, afterDesk: light.after_desk, shown: light.shown, color: light.color },
    }),
    lanes: [...told.lanes],
    ...(nextAt !== undefined && { nextAt }),
    darkenedBy: [...told.darkened_by],
    sent: [...told.sent],
  };
}

function timeOf(text: string) {
  return timestampFromDate(new Date(text));
}
