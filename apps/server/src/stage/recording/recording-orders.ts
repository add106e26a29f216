import { z } from "zod";
import { RecordingRefused, type RecordingShelf } from "./recordings.ts";

const orderSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("start"), name: z.string().max(200), by: z.string().max(200) }),
  z.object({ do: z.literal("stop") }),
  z.object({ do: z.literal("play"), id: z.string() }),
  z.object({ do: z.literal("stop_replay") }),
  z.object({ do: z.literal("remove"), id: z.string() }),
]);

/**
 * Answers a request to the stage's `/recordings`: without an order the list, for an order its result, or `refused` with
 * a sentence. Undefined for an invalid order.
 */
export async function answerAboutRecordings(shelf: RecordingShelf, body?: unknown): Promise<object | undefined> {
  if (body === undefined) return shelf.tell();
  const order = orderSchema.safeParse(body);
  if (!order.success) return undefined;
  try {
    return await obey(shelf, order.data);
  } catch (error) {
    if (error instanceof RecordingRefused) return { refused: error.message };
    throw error;
  }
}

async function obey(shelf: RecordingShelf, order: z.infer<typeof orderSchema>): Promise<object> {
  switch (order.do) {
    case "start":
      return { recording: await shelf.start(order.name, order.by) };
    case "stop":
      return { recording: await shelf.stop() };
    case "play":
      await shelf.play(order.id);
      return {};
    case "stop_replay":
      shelf.stopReplay();
      return {};
    case "remove":
      return { recording: await shelf.remove(order.id) };
    default:
      return order satisfies never;
  }
}
