import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { recordingSchema, recordingsSchema, type Recording } from "@followspot/contract";
import {
  ListRecordingsResponseSchema,
  RecordingSchema,
  RecordingService,
  StartRecordingResponseSchema,
  StopRecordingResponseSchema,
} from "@followspot/contract/recording";
import { z } from "zod";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict, invalid, unavailable } from "../../platform/errors.ts";

export interface RecordingPorts {
  readonly sql: Sql;
  /** Sends a request to the stage, as POST with a body. @throws unavailable while it does not respond */
  readonly askStage: (path: string, body?: object) => Promise<unknown>;
}

/** Characters that the database rejects or lists cannot show. */
const ODD = /[\p{Cc}\p{Cs}]/u;

const replySchema = z.object({ recording: recordingSchema.optional(), refused: z.string().optional() });

/** API of recordings. The stage writes, replays and validates them; the audit log is written here. */
export function recordingRoutes({ sql, askStage }: RecordingPorts): (router: ConnectRouter) => void {
  /** @throws conflict with the stage's message */
  async function order(body: object): Promise<Recording | undefined> {
    const reply = replySchema.safeParse(await askStage("/recordings", body));
    if (!reply.success) throw unavailable("The stage gave no usable answer; it may be of another version", reply.error);
    if (reply.data.refused) throw conflict(reply.data.refused);
    return reply.data.recording;
  }

  /** Sends an order inside the transaction that writes the audit log, so that no order is sent without a database. */
  function orderAndWrite(caller: Caller, verb: string, body: object, id?: string): Promise<Recording | undefined> {
    return change(sql, caller, async () => {
      const recording = await order(body);
      const named = recording?.id ?? id;
      if (named === undefined) return done(recording);
      return done(recording, { noun: "recording", id: named, verb, after: recording && { name: recording.name } });
    });
  }

  return (router) =>
    router.service(RecordingService, {
      listRecordings: async () => {
        const told = recordingsSchema.safeParse(await askStage("/recordings"));
        if (!told.success)
          throw unavailable("The stage gave no usable answer; it may be of another version", told.error);
        const { recordings, patch, replay, replay_problem: replayProblem } = told.data;
        return create(ListRecordingsResponseSchema, {
          recordings: recordings.map((recording) => toRecording(recording, patch)),
          replayedId: replay?.id ?? "",
          replayPosition: replay?.position ?? 0,
          replayProblem,
        });
      },

      startRecording: async (request, context) => {
        const caller = requireCaller(context);
        const name = request.name.trim();
        if (ODD.test(name)) throw invalid("name: holds control characters. Take them out.");
        const recording = await orderAndWrite(caller, "started", { do: "start", name, by: caller.name });
        return create(StartRecordingResponseSchema, recording && { recording: toRecording(recording) });
      },

      stopRecording: async (_request, context) => {
        const recording = await orderAndWrite(requireCaller(context), "stopped", { do: "stop" });
        return create(StopRecordingResponseSchema, recording && { recording: toRecording(recording) });
      },

      startReplay: async ({ id }, context) => {
        await orderAndWrite(requireCaller(context), "replayed", { do: "play", id }, id);
        return {};
      },

      stopReplay: async () => {
        await order({ do: "stop_replay" });
        return {};
      },

      deleteRecording: async ({ id }, context) => {
        await orderAndWrite(requireCaller(context), "deleted", { do: "remove", id }, id);
        return {};
      },
    });
}

/** @param patch fingerprint of the current patch; the recording's own if omitted */
function toRecording(recording: Recording, patch = recording.patch) {
  return create(RecordingSchema, {
    id: recording.id,
    name: recording.name,
    startedAt: timestampFromDate(new Date(recording.started_at)),
    startedBy: recording.started_by,
    seconds: recording.seconds,
    bytes: BigInt(recording.bytes),
    universes: [...recording.universes],
    state: recording.state,
    problem: recording.problem,
    isPatchChanged: recording.patch !== patch,
  });
}
