/** The plain proxy on a host of its own: `proxy.ts ADDRESS PORT URL…`. */
import { openProxy } from "../../e2e/testing/proxy.ts";

const [host = "127.0.0.1", port = "3000", ...urls] = process.argv.slice(2);
await openProxy({ host, port: Number(port), urls });
