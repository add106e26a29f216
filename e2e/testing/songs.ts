import type { Server } from "./product.ts";

/** Uploads a file as the console does. */
export async function upload(product: Server, name: string, bytes: Uint8Array): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${product.url}/api/songs/upload`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await product.token()}`,
      "content-type": "application/octet-stream",
      "x-file-name": encodeURIComponent(name),
    },
    body: bytes as NonNullable<RequestInit["body"]>,
  });
  return { status: answer.status, body: await answer.json() };
}

export async function songOf(product: Server, id: string): Promise<any> {
  return (await product.call("music.v1.MusicService/GetSong", { song_id: id })).song;
}

/** Whether the song's show is ready. @throws Error with the reason if it has failed */
export async function isReady(product: Server, id: string): Promise<boolean> {
  const song = await songOf(product, id);
  if (song.errorMessage) throw new Error(song.errorMessage);
  return song.analysisStatus === "ready" && song.lightingStatus === "ready";
}

/** Patches RGB pars at positions 1 to `count` and sends universe 1 to a node, on loopback by default. */
export async function lightPars(product: Server, count: number, port: number, host = "127.0.0.1"): Promise<void> {
  for (let position = 1; position <= count; position++) {
    const place = { label: `Par ${position}`, position: String(position) };
    const light = { ...place, light_type: "generic_rgb_par", mode: "4 channels" };
    await product.call("lights.v1.LightsService/CreateLight", light);
  }
  const node = { id: "test", protocol: "artnet", host, port, universe: 1, port_address: 0, enabled: true };
  await product.call("lights.v1.LightsService/SetOutputs", { outputs: [node] });
}
