import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { bencode } from "./bencode.js";
import type { MadeTorrent } from "./making.js";

const host = "127.0.0.1";
const protocol = Buffer.from("\u0013BitTorrent protocol", "latin1");
const message = { unchoke: 1, interested: 2, bitfield: 5, request: 6, piece: 7 } as const;
const handshakeBytes = 68;

/**
 * A tracker with a peer that has everything, on loopback. The peer calls whichever client announces itself: some
 * clients refuse loopback addresses that a tracker names, and none refuses a call from there.
 */
export class Swarm implements AsyncDisposable {
  readonly #torrents = new Map<string, MadeTorrent>();
  readonly #calls = new Map<string, Socket>();
  readonly #server: Server = createServer((request, response) => {
    const { pathname, search: query } = new URL(request.url ?? "/", "http://here");
    // Clients ask for statistics, too, which not every tracker has.
    if (pathname !== "/announce") return void response.writeHead(404).end();
    const infoHash = bytesIn(query, "info_hash").toString("hex");
    const port = Number(/[?&]port=(\d+)/u.exec(query)?.[1]);
    this.announced.push(infoHash);
    const torrent = this.#torrents.get(infoHash);
    if (!torrent) return void response.end(bencode({ "failure reason": "Unregistered torrent" }));
    if (!/[?&]left=0(?:&|$)/u.test(query)) this.#call(torrent, port);
    response.end(bencode({ interval: 60, "min interval": 5, complete: 1, incomplete: 1, peers: Buffer.alloc(0) }));
  });
  /** How many bytes of blocks the peer still gives; without any left, it breaks its connections off. */
  #left = Infinity;
  /** The hashes of announces, in their order. */
  readonly announced: string[] = [];

  static async start(): Promise<Swarm> {
    const swarm = new Swarm();
    await new Promise<void>((resolve) => swarm.#server.listen(0, host, resolve));
    return swarm;
  }

  /** The address that torrents name as their tracker. */
  get announce(): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}/announce`;
  }

  seed(torrent: MadeTorrent): void {
    this.#torrents.set(torrent.infoHash, torrent);
  }

  /** From now on the peer gives only so many bytes. */
  giveAtMost(bytes: number): void {
    this.#left = bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#calls.values()) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #spend(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  #call(torrent: MadeTorrent, port: number): void {
    const key = `${torrent.infoHash} ${port}`;
    if (this.#calls.has(key)) return;
    const socket = connect({ host, port });
    this.#calls.set(key, socket);
    socket.on("close", () => this.#calls.delete(key));
    // A client that stops breaks the connection off.
    socket.on("error", () => socket.destroy());
    socket.on("connect", () => new Peer(socket, torrent, (bytes) => this.#spend(bytes)).greet());
  }
}

/** One side of the peer protocol: it answers requests for blocks. */
class Peer {
  #received = Buffer.alloc(0);
  #isGreeted = false;

  constructor(
    private readonly socket: Socket,
    private readonly torrent: MadeTorrent,
    private readonly spend: (bytes: number) => boolean,
  ) {
    socket.on("data", (chunk) => this.#read(chunk));
  }

  greet(): void {
    const infoHash = Buffer.from(this.torrent.infoHash, "hex");
    this.socket.write(Buffer.concat([protocol, Buffer.alloc(8), infoHash, Buffer.from("-LB0100-seederseeder")]));
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (!this.#isGreeted) {
      if (this.#received.length < handshakeBytes) return;
      this.#isGreeted = true;
      this.#received = this.#received.subarray(handshakeBytes);
      this.#send(message.bitfield, bitfieldOf(this.torrent));
    }
    while (this.#received.length >= 4) {
      const length = this.#received.readUInt32BE(0);
      if (this.#received.length < 4 + length) return;
      const body = this.#received.subarray(4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      if (length > 0) this.#answer(body[0]!, body.subarray(1));
    }
  }

  #answer(kind: number, body: Buffer): void {
    if (kind === message.interested) this.#send(message.unchoke, Buffer.alloc(0));
    if (kind !== message.request) return;
    const start = body.readUInt32BE(0) * this.torrent.pieceBytes + body.readUInt32BE(4);
    const block = this.torrent.content.subarray(start, start + body.readUInt32BE(8));
    if (!this.spend(block.length)) return void this.socket.destroy();
    this.#send(message.piece, Buffer.concat([body.subarray(0, 8), block]));
  }

  #send(kind: number, body: Uint8Array): void {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(body.length + 1, 0);
    head.writeUInt8(kind, 4);
    this.socket.write(Buffer.concat([head, body]));
  }
}

function bitfieldOf({ content, pieceBytes }: MadeTorrent): Buffer {
  const pieces = Math.ceil(content.length / pieceBytes);
  const field = Buffer.alloc(Math.ceil(pieces / 8));
  for (let piece = 0; piece < pieces; piece += 1) field[piece >> 3]! |= 0x80 >> (piece & 7);
  return field;
}

/** A parameter of any bytes, which no reader of texts brings through. */
function bytesIn(query: string, name: string): Buffer {
  const text = new RegExp(`[?&]${name}=([^&]*)`, "u").exec(query)?.[1] ?? "";
  const latin = text.replaceAll(/%([0-9A-Fa-f]{2})/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(latin, "latin1");
}
