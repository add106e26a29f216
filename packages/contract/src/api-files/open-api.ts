import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { ERROR_STATUS, errorsOf, type MethodError } from "../method-errors.ts";
import { accessWords } from "../access-words.ts";
import { describedBy, isNamed, schemaOf, typesIn, type CommentOf, type Schema } from "./json-schema.ts";

const VERSION = "3.1.1";
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
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        session: { type: "apiKey", in: "cookie", name: "followspot_session" },
      },
    },
  };
}

const INTRODUCTION =
  "Every method is a POST with a JSON body (Connect protocol). Answers leave out fields that hold their default. Unknown fields are refused.";

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
