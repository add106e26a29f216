// npm run sbom: every package the product runs with, by package-lock.json, as CycloneDX on stdout. What is bundled beside
// packages stands in NOTICE.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "../apps/server/src/platform/process/program-options.mjs";
import { ROOT } from "./house.mjs";

readOptions("sbom");
const ask = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
const bill = JSON.parse(execFileSync("npm", ask, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }));

// `--omit dev` of npm 11 also leaves out what the product runs with and a tool needs as well, such as fastify and zod.
const isTool = ({ properties }) => properties.some(({ name }) => name === "cdx:npm:package:development");
const components = bill.components.filter((component) => !isTool(component));
const refs = new Set([bill.metadata.component, ...components].map((each) => each["bom-ref"]));
const dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
// npm calls the product by the folder it lies in.
const { name } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const metadata = { ...bill.metadata, component: { ...bill.metadata.component, name } };
process.stdout.write(`${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`);
