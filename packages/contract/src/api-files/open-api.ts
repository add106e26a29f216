import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { ERROR_STATUS, errorsOf, type MethodError } from "../method-errors.ts";
import { isReading } from "../calls-together.ts";
import { IDEMPOTENCY_KEY_HEADER } from "../idempotency.ts";
import { accessWords } from "../access-words.ts";
import { describedBy, isNamed, schemaOf, typesIn, type CommentOf, type Schema } from "./json-schema.ts";

const VERSION = "3.1.1";
const IDEMPOTENCY_KEY = "#/components/parameters/IdempotencyKey";
const ERROR = "#/components/schemas/connect.Error";
const refTo = (fullName: string): string => `#/components/schemas/${fullName}`;

/** The API as an OpenAPI document: one POST per method, in the JSON of Connect. */
export function openApi(services: readonly DescService[], commentOf: CommentOf, basePath = ""): Schema {
  const methods = services.flatMap((service) => service.methods);
  const types = typesIn(methods.flatMap(({ input, output }) => [input, output]));
  return {
    openapi: VERSION,
    info: { title: "Followspot", version: "1", description: INTRODUCTION },
    servers: [{ url: basePath || "/" }],
    tags: services.map(({ typeName }) => ({ name: typeName, ...describedBy(commentOf(typeName)) })),
    paths: Object.fromEntries(
      methods.map((method) => [`/${method.parent.typeName}/${method.name}`, { post: operation(method, commentOf) }]),
    ),
    components: {
      schemas: {
        ...Object.fromEntries([...types].map(([name, type]) => [name, schemaOf(type, commentOf, refTo)])),
        "connect.Error": {
          type: "object",
          required: ["code"],
          properties: {
            code: { type: "string", enum: Object.keys(ERROR_STATUS) },
            message: { type: "string", description: "For a person." },
          },
        },
      },
      parameters: {
        IdempotencyKey: {
          name: IDEMPOTENCY_KEY_HEADER,
          in: "header",
          description:
            "A repeated call of the same caller and method with the same key receives the response of the first for 24 hours, with the header idempotent-replayed. Errors are not stored. The same key with another body is rejected.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        session: { type: "apiKey", in: "cookie", name: "followspot_session" },
      },
    },
  };
}

const INTRODUCTION =
  "Every method is a POST with a JSON body (Connect protocol). Answers leave out fields that hold their default. Unknown fields are refused with their path. The header Connect-Protocol-Version marks generated clients, whose unknown fields are dropped.";

const nameOf = ({ parent, name }: DescMethod): string => `${parent.typeName.replace(/^followspot\./, "")}/${name}`;

function operation(method: DescMethod, commentOf: CommentOf): Schema {
  const said = commentOf(`${method.parent.typeName}.${method.name}`);
  const who = accessWords(method);
  const isPublic = who.includes("Public");
  const json = (message: DescMethod["input"]) => ({
    "application/json": { schema: isNamed(message) ? { $ref: refTo(message.typeName) } : { type: "object" } },
  });
  return {
    operationId: `${method.parent.typeName}.${method.name}`,
    tags: [method.parent.typeName],
    description: [said, `Access: ${who.join(", ")}.`].filter(Boolean).join("\n\n"),
    ...(!isPublic && !isReading(nameOf(method)) && { parameters: [{ $ref: IDEMPOTENCY_KEY }] }),
    security: isPublic ? [{}] : [{ bearer: [] }, { session: [] }],
    requestBody: { required: true, content: json(method.input) },
    responses: { "200": { description: method.output.name, content: json(method.output) }, ...refusals(method) },
  };
}

/** Answers of refusals by HTTP status; some codes share one. */
function refusals(method: DescMethod): Schema {
  const byStatus = Map.groupBy(errorsOf(method), ({ code }) => String(ERROR_STATUS[code]));
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      status,
      { description: errors.map(inWords).join("\n"), content: { "application/json": { schema: { $ref: ERROR } } } },
    ]),
  );
}

const inWords = ({ code, when, todo }: MethodError): string => `${code}: ${when} ${todo}`;
