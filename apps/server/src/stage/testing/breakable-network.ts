import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Proxy between consoles and main-api that can cut connections or stop forwarding without closing them. */
export class BreakableNetwork {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #silent: Socket[] = [];
  isDown = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(port: number): Promise<BreakableNetwork> {
    const listener = createServer((client) => {
      if (network.isDown) return client.destroy();
      const target = connect(port, "127.0.0.1");
      const pair = [client, target] as const;
      network.#pairs.add(pair);
      for (const [from, to] of [pair, [target, client]] as const) {
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
      }
    });
    const network = new BreakableNetwork(listener);
    await new Promise<void>((ready) => listener.listen(0, "127.0.0.1", ready));
    return network;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes all connections, so that both ends notice. */
  cut(): void {
    for (const [client, target] of this.#takeAll()) {
      client.destroy();
      target.destroy();
    }
  }

  /** Stops forwarding on the open connections; neither end notices. */
  fallSilent(): void {
    for (const pair of this.#takeAll()) {
      for (const end of pair) {
        end.unpipe();
        end.pause();
      }
      this.#silent.push(...pair);
    }
  }

  close(): void {
    this.cut();
    for (const end of this.#silent) end.destroy();
    this.#server.close();
  }

  #takeAll() {
    const pairs = [...this.#pairs];
    this.#pairs.clear();
    return pairs;
  }
}
