/**
 * The least a server can do for the same: `ws`, and what is posted here is said to everybody. No sign-in, no topics,
 * no database, no broker. What the product costs is told as multiples of this.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";

const http = createServer(async (request, response) => {
  const said = await text(request);
  for (const client of sockets.clients) client.send(said);
  response.end("{}");
});
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
http.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
