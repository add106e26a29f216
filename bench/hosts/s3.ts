/** The store of songs on a host of its own: `s3.ts ADDRESS PORT FOLDER`. */
import { startS3 } from "../../apps/server/src/testing/s3-store.ts";

const [address = "127.0.0.1", port = "9000", kept = ""] = process.argv.slice(2);
await startS3({ address, port: Number(port), kept });
