import { expect, test } from "vitest";
import { curlOf, typeScriptOf } from "./call-code.ts";
import { catalogue } from "./catalogue.ts";

const methods = catalogue.flatMap((service) => service.methods);
const getEvent = methods.find(({ name }) => name === "GetEvent")!;

test("a quote in a body stays one word of the shell", () => {
  expect(curlOf(getEvent, `{\n  "id": "it's"\n}`, "http://stage:3000")).toBe(
    `curl -X POST 'http://stage:3000/followspot.event.v1.EventService/GetEvent' -H 'content-type: application/json' -H "authorization: Bearer $TOKEN" -d '{ "id": "it'\\''s" }'`,
  );
});

test("TypeScript calls the method by the contract's client with the body as it is", () => {
  expect(typeScriptOf(getEvent, '{ "id": "e1" }', "http://stage:3000"))
    .toBe(`import { fromJson } from "@bufbuild/protobuf";
import { connect } from "@followspot/contract/client";
import { GetEventRequestSchema, EventService } from "@followspot/contract/event";

const app = connect({ baseUrl: "http://stage:3000", token });
const request = fromJson(GetEventRequestSchema, { "id": "e1" });
const answer = await app.service(EventService).getEvent(request);
`);
});

test.each(methods.map((method) => [method.path, method] as const))(
  "%s is imported from what exists",
  async (_path, method) => {
    const imports = typeScriptOf(method, "{}", "").matchAll(/import \{ (.*) \} from "@followspot\/contract\/(\w+)";/g);
    const wanted = [...imports].filter(([, , file]) => file !== "client");
    const modules = import.meta.glob("../../../../packages/contract/src/gen/followspot/*/v1/*_pb.js");
    for (const [, names, file] of wanted) {
      const path = Object.keys(modules).find((each) => each.endsWith(`/${file}/v1/${file}_pb.js`));
      expect(Object.keys((await modules[path!]!()) as object)).toEqual(expect.arrayContaining(names!.split(", ")));
    }
  },
);
