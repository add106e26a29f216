import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../settings.ts";

/** Version of the product, such as "1.4.0". */
export const VERSION = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;
