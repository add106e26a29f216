import { createSocket, type Socket } from "node:dgram";

/**
 * Opens a UDP socket connected to a multicast group.
 * @param localAddress address of the network card to send from; undefined leaves the choice to the system
 */
export async function openMulticast(group: string, port: number, localAddress: string | undefined): Promise<Socket> {
  const socket = createSocket("udp4").unref();
  try {
    await settled(socket, (done) => socket.bind(0, localAddress, done));
    if (localAddress !== undefined) socket.setMulticastInterface(localAddress);
    await settled(socket, (done) => socket.connect(port, group, done));
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

/** Waits until `begin` has called back; rejects if the socket fails first. */
export async function settled(socket: Socket, begin: (done: (error?: Error) => void) => void): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      begin((error) => (error ? reject(error) : resolve()));
    });
  } finally {
    socket.removeAllListeners("error");
    socket.removeAllListeners("connect");
  }
}
