import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { callerKey } from "../caller.ts";
import type { Sql } from "../database/database.ts";
import { overLimit, rateLimitHeaders, waitText } from "../errors.ts";
import { countTries, WINDOW_MINUTES } from "../database/rate-limits.store.ts";

interface CallLimit {
  /** Most calls of one user within {@link WINDOW_MINUTES} minutes. */
  readonly max: number;
  /** Things that the calls create, for the error message. */
  readonly what: string;
}

/** Methods with a limit per user, as `Service/Method`: far more than a person types or taps. Admins have none. */
export const CALL_LIMITS: Readonly<Record<string, CallLimit>> = {
  "ChatService/SendMessage": { max: 300, what: "messages" },
  "ChatService/EditMessage": { max: 300, what: "edits of messages" },
  "ChatService/AddReaction": { max: 400, what: "reactions" },
  "ChatService/RemoveReaction": { max: 400, what: "removed reactions" },
  "ChatService/CreateThread": { max: 60, what: "new threads" },
  "ChatService/UpdateThread": { max: 60, what: "changes of threads" },
  "ChatService/AddMember": { max: 200, what: "added members" },
  "ChatService/JoinEventThread": { max: 100, what: "joined threads" },
};

/** Rejects calls of a user beyond the limit of their method. Counts in the database, for all API servers together. */
export function limitCalls(sql: Sql): Interceptor {
  return (next) => async (request) => {
    const name = nameOf(request.method);
    const limit = CALL_LIMITS[name];
    const caller = request.contextValues.get(callerKey);
    if (!limit || !caller || caller.roles.includes("Admin")) return next(request);
    const key = `call ${name} by ${caller.userId}`;
    const { count = 0, secondsLeft = 0 } = (await countTries(sql, [key])).get(key) ?? {};
    if (count > limit.max)
      throw overLimit(
        `At most ${limit.max} ${limit.what} within ${WINDOW_MINUTES} minutes. Try again in ${waitText(secondsLeft)}.`,
        limit.max,
        secondsLeft,
      );
    const response = await next(request);
    for (const [name, value] of Object.entries(rateLimitHeaders(limit.max, limit.max - count, secondsLeft)))
      response.header.set(name, value);
    return response;
  };
}

const nameOf = ({ parent, name }: DescMethod): string => `${parent.name}/${name}`;
