// Serves a folder by sirv, as the yardstick in the same language. Prints its address on stdout; ends when stdin does.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import sirv from "sirv";

const server = createServer(sirv(process.argv[2] ?? ".", { etag: true }) as never);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
process.stdin.resume().on("end", () => process.exit(0));
