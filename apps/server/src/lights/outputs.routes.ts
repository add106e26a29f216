import { create } from "@bufbuild/protobuf";
import { OutputSchema } from "@followspot/contract/lights";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/change.ts";
import type { Db } from "../platform/database.ts";
import type { LightsMethods, LightsPorts } from "./lights.ports.ts";
import { requireOutputs } from "./output-rules.ts";
import { listOutputRows, replaceOutputs, type OutputRow } from "./outputs.store.ts";

export function outputMethods({ sql }: LightsPorts) {
  return {
    listOutputs: async () => ({ outputs: (await listOutputRows(sql)).map(toOutput) }),

    setOutputs: async (request, context) => {
      const outputs = requireOutputs(request.outputs);
      const replace = async (tx: Db) => {
        const before = await listOutputRows(tx);
        await replaceOutputs(tx, outputs);
        const entry = {
          noun: "output",
          id: "all",
          verb: "changed",
          before,
          after: outputs,
          topics: ["lights", "stage"],
        };
        return done({ outputs: outputs.map(toOutput) }, entry);
      };
      return change(sql, requireCaller(context), replace, ["patch"]);
    },
  } satisfies LightsMethods;
}

function toOutput(row: OutputRow) {
  const { port_address, offset_ms, ...rest } = row;
  return create(OutputSchema, { ...rest, portAddress: port_address, offsetMs: offset_ms });
}
