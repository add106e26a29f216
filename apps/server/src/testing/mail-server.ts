import { createServer, type AddressInfo, type Socket } from "node:net";

/** Mail server that implements enough SMTP (RFC 5321) to receive messages, and stores them. */
export class MailServer {
  readonly messages: { to: string; text: string }[] = [];
  mode: "takes" | "hangs" | "refuses" | "closes" | "speaks HTTP" = "takes";
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  static async listen(): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((ready) => server.#server.listen(0, "127.0.0.1", ready));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    if (this.mode === "hangs") return;
    if (this.mode === "closes") return void socket.destroy();
    if (this.mode === "speaks HTTP") return void socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    let text = "";
    let to = "";
    let isData = false;
    socket.write("220 test ESMTP\r\n");
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (isData) {
        if (!text.includes("\r\n.\r\n")) return;
        this.messages.push({ to, text });
        text = "";
        isData = false;
        return void socket.write("250 taken\r\n");
      }
      for (let end = text.indexOf("\r\n"); end >= 0 && !isData; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (line.startsWith("RCPT")) to = /<(.+)>/.exec(line)?.[1] ?? "";
        isData = line === "DATA";
        if (isData) socket.write("354 go on\r\n");
        else if (this.mode === "refuses" && line.startsWith("RCPT")) socket.write("451 try later\r\n");
        else socket.write(line.startsWith("EHLO") ? "250 test\r\n" : "250 OK\r\n");
      }
    });
  }
}
