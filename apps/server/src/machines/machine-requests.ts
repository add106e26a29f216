import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { invalid } from "../platform/errors.ts";

/** Returns the bearer token of a request from another machine; "" for none. */
export const tokenOf = ({ headers }: FastifyRequest): string =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/** Returns the instance ID of the requesting process. @param name of the header @throws invalid_argument */
export function instanceOf(request: FastifyRequest, name: string): string {
  const instance = headerOf(request, name);
  if (!/^[\w-]{8,64}$/.test(instance)) throw invalid(`${name} must be 8 to 64 letters and digits`);
  return instance;
}

export function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

/** @throws invalid_argument with the name of the first invalid field */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join(".") || "body"}: ${issue?.message ?? "is of another shape"}`);
}
