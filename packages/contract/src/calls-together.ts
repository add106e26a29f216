/*
 * Several readings of a page in one request, so that they do not wait for each other: over HTTP/1.1 a browser asks a server six things
 * at a time. `POST /api/calls` takes `[{"method": "user.v1.UserService/ListUsers", "message": {}}, …]` and answers with a line of
 * each call, in the order in which they are done: its place in the request, its HTTP status and its JSON, between blanks.
 */

export const CALLS_PATH = "/api/calls";
/** Most calls of one request. */
export const MOST_CALLS = 32;

/** What may go together: methods that only read, by the first word of their names. */
const READING = /^\w+\.v\d+\.\w+\/(?:Get|List|Count|Check(?!In))[A-Z]\w*$/;

/** @param method as `user.v1.UserService/ListUsers` */
export const isReading = (method: string): boolean => READING.test(method);

/** One line of the answer, without its end. @param json in one line */
export const answerLine = (place: number, status: number, json: string): string => `${place} ${status} ${json}`;

/** The parts of a line; undefined for one that was cut off. */
export function readAnswerLine(
  line: string,
): { readonly place: number; readonly status: number; readonly json: string } | undefined {
  const [, place, status, json] = /^(\d+) (\d{3}) (.+)$/.exec(line) ?? [];
  return json === undefined ? undefined : { place: Number(place), status: Number(status), json };
}
