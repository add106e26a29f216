import type { FastifyReply, FastifyRequest } from "fastify";

const pageBelow = (basePath: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <title>Page not found · Followspot</title>
    <style>body { display: grid; place-items: center; min-height: 90vh; margin: 1rem; font: 13px/20px system-ui, sans-serif; text-align: center }</style>
  </head>
  <body>
    <main>
      <h1>This page does not exist.</h1>
      <p><a href="${basePath}/admin">Go to the dashboard</a></p>
    </main>
  </body>
</html>
`;

/** Nothing but its own style: it names nothing the caller has sent. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Whether a person stands behind a request for an unknown address: a browser asks for HTML, a script does not. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && (headers.accept ?? "").includes("text/html");
}

/** 404 in words and with a way on. */
export function sendNotFoundPage(reply: FastifyReply, basePath: string): FastifyReply {
  return reply
    .code(404)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", POLICY)
    .send(pageBelow(basePath));
}
