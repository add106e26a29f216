import type { DocMethod } from "./catalogue.ts";

/** A call as a command of the shell, with the token in $TOKEN. */
export function curlOf({ path }: DocMethod, body: string, origin: string): string {
  // A quote ends a word of the shell: it is put outside of it.
  const quoted = body.replace(/\s*\n\s*/g, " ").replaceAll("'", "'\\''");
  return `curl -X POST '${origin}${path}' -H 'content-type: application/json' -H "authorization: Bearer $TOKEN" -d '${quoted}'`;
}

/** A call by the contract's client, with the token in `token`. */
export function typeScriptOf({ descriptor }: DocMethod, body: string, origin: string): string {
  const { parent, input, localName } = descriptor;
  const from = (file: string) => `@followspot/contract/${file.split("/")[1] ?? ""}`;
  const imports =
    parent.file === input.file
      ? [`import { ${input.name}Schema, ${parent.name} } from "${from(parent.file.name)}";`]
      : [
          `import { ${parent.name} } from "${from(parent.file.name)}";`,
          `import { ${input.name}Schema } from "${from(input.file.name)}";`,
        ];
  return [
    'import { fromJson } from "@bufbuild/protobuf";',
    'import { connect } from "@followspot/contract/client";',
    ...imports,
    "",
    `const app = connect({ baseUrl: "${origin}", token });`,
    `const request = fromJson(${input.name}Schema, ${body});`,
    `const answer = await app.service(${parent.name}).${localName}(request);`,
    "",
  ].join("\n");
}
