import { X509Certificate } from "node:crypto";
import type { FastifyInstance } from "fastify";

const TRUST_PATH = "/trust";
const FILE_PATH = "/trust/followspot.crt";
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Whether a path belongs to the page, which opens before a device trusts the server. */
export const isTrustPath = (path: string): boolean => path === TRUST_PATH || path === FILE_PATH;

/** Serves the certificate of our own authority and explains how a device trusts it. */
export function registerTrustPage(app: FastifyInstance, authority: string, basePath = ""): void {
  const { raw, fingerprint256 } = new X509Certificate(authority);
  const page = pageOf(fingerprint256, basePath + FILE_PATH, `${basePath}/admin`);
  app.get(TRUST_PATH, (_request, reply) =>
    reply.header("content-security-policy", POLICY).type("text/html; charset=utf-8").send(page),
  );
  app.get(FILE_PATH, (_request, reply) =>
    reply
      .header("content-disposition", 'attachment; filename="followspot.crt"')
      .type("application/x-x509-ca-cert")
      .send(raw),
  );
}

const pageOf = (fingerprint: string, file: string, next: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <title>Trust this server · Followspot</title>
    <style>body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif } code { overflow-wrap: anywhere }</style>
  </head>
  <body>
    <h1>Trust this server</h1>
    <p>This Followspot makes its own certificate, so your device warns about it. Install the certificate once. Then the
      camera, the microphone and copying work, and the warning is gone.</p>
    <p><a href="${file}">Download the certificate</a></p>
    <h2>iPhone and iPad</h2>
    <ol>
      <li>Open this page in Safari, download the certificate and tap Allow.</li>
      <li>Open Settings › General › VPN &amp; Device Management. Tap the profile, then Install.</li>
      <li>Open Settings › General › About › Certificate Trust Settings. Turn the certificate on.</li>
    </ol>
    <h2>Android</h2>
    <ol>
      <li>Download the certificate.</li>
      <li>Open Settings, search for “CA certificate” and tap Install anyway.</li>
      <li>Choose the file followspot.crt.</li>
    </ol>
    <h2>Windows</h2>
    <ol>
      <li>Open the file, then click Install Certificate › Current User.</li>
      <li>Choose “Place all certificates in the following store” › Trusted Root Certification Authorities.</li>
    </ol>
    <h2>Mac</h2>
    <ol>
      <li>Open the file. Keychain Access adds the certificate.</li>
      <li>Double-click the certificate in Keychain Access, then set Trust › When using this certificate to Always Trust.</li>
    </ol>
    <h2>Linux and Firefox</h2>
    <p>Open the certificate settings of the browser, then import the file under Authorities and trust it for websites.</p>
    <h2>Before you install it</h2>
    <p>Compare the SHA-256 fingerprint with the one that the server's terminal shows: <code>${fingerprint}</code></p>
    <p>A person who reads the folder <code>tls</code> in this server's data can imitate other sites for devices that trust
      the certificate. Remove it from your device when you no longer use this server.</p>
    <p><a href="${next}">Go to the dashboard</a></p>
  </body>
</html>
`;
