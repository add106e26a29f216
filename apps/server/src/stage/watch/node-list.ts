import type { ArtnetNode, Output } from "@followspot/contract";
import type { PollReply } from "../packets/artnet-poll.ts";

export const POLL_EVERY_MS = 3000;
/** Three missed polls and a second for the answer, ms. */
const SILENT_MS = 3 * POLL_EVERY_MS + 1000;
/** Time after which a node that was found by a search and is no longer polled is removed, ms. */
const FORGET_MS = 300_000;
/** Limit of tracked nodes, because any machine may reply; a lighting network has fewer. */
const MAX_NODES = 256;
const MAX_REPLIES = 64;

interface HeardReply extends PollReply {
  readonly seenMs: number;
}

interface HeardNode {
  readonly host: string;
  readonly port: number;
  /** By MAC address and bind index. */
  readonly replies: Map<string, HeardReply>;
  seenMs: number;
}

/** Returns the address of a node, as `host:port`. */
export const placeOf = (host: string, port: number): string => `${host}:${port}`;

/** Nodes that answered an ArtPoll, and when. Time is an argument; the caller has the sockets. */
export class NodeList {
  readonly #nodes = new Map<string, HeardNode>();

  /** @param port port that the node was polled on */
  heard(host: string, port: number, reply: PollReply, nowMs: number): void {
    const place = placeOf(host, port);
    let node = this.#nodes.get(place);
    if (!node) {
      if (this.#nodes.size >= MAX_NODES) return;
      this.#nodes.set(place, (node = { host, port, replies: new Map(), seenMs: nowMs }));
    }
    node.seenMs = nowMs;
    for (const [key, { seenMs }] of node.replies) if (nowMs - seenMs > SILENT_MS) node.replies.delete(key);
    if (node.replies.size < MAX_REPLIES)
      node.replies.set(`${reply.mac} ${reply.bindIndex}`, { ...reply, seenMs: nowMs });
  }

  /** @param asked addresses of outputs, which are polled all the time */
  list(asked: ReadonlySet<string>, nowMs: number): ArtnetNode[] {
    for (const [place, { seenMs }] of this.#nodes) {
      if (nowMs - seenMs > FORGET_MS) this.#nodes.delete(place);
    }
    return [...this.#nodes.values()].map((node) => {
      const replies = [...node.replies.values()];
      const [first] = replies;
      return {
        host: node.host,
        port: node.port,
        name: first?.name || first?.longName || node.host,
        long_name: first?.longName ?? "",
        port_addresses: ascending(replies.flatMap(({ portAddresses }) => portAddresses)),
        merging: ascending(replies.flatMap(({ merging }) => merging)),
        seen_at: new Date(Date.now() - (nowMs - node.seenMs)).toISOString(),
        is_gone: asked.has(placeOf(node.host, node.port)) && nowMs - node.seenMs > SILENT_MS,
      };
    });
  }

  /**
   * Returns sentences about nodes that cannot work as configured. @param placeOfOutput returns the destination of an
   * output
   */
  notices(outputs: readonly Output[], placeOfOutput: (output: Output) => string, nowMs: number): string[] {
    return [...this.#nodes.values()].flatMap((node) => [
      ...doublesOf(node, nowMs),
      ...mergesOf(
        node,
        outputs.filter((output) => placeOfOutput(output) === placeOf(node.host, node.port)),
        nowMs,
      ),
    ]);
  }
}

/** Describes two devices that answer from one address: the frames reach only one of them, alternating. */
function doublesOf(node: HeardNode, nowMs: number): string[] {
  const byMac = new Map(
    [...node.replies.values()]
      .filter(({ seenMs }) => nowMs - seenMs <= SILENT_MS)
      .map((reply) => [reply.mac, reply.name]),
  );
  if (byMac.size < 2) return [];
  const names = [...byMac].map(([mac, name]) => `${name || "a node"} (${mac.replaceAll(/(..)(?=.)/g, "$1:")})`);
  return [`${names.join(" and ")} have one address, ${node.host}. Give one of them another, or frames get lost.`];
}

function mergesOf(node: HeardNode, outputs: readonly Output[], nowMs: number): string[] {
  return [...node.replies.values()]
    .filter(({ seenMs }) => nowMs - seenMs <= SILENT_MS)
    .flatMap(({ merging, name }) =>
      merging
        .filter((address) => outputs.some(({ portAddress }) => portAddress === address))
        .map(
          (address) =>
            `${name || node.host} gets port address ${address} from a second source as well and merges the two. Stop the other one, or give it another port address.`,
        ),
    );
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
