// Whether the server in this container answers. `fetch` would load ten times as much, and this runs every minute.
import { get } from "node:http";

const address = { host: "127.0.0.1", port: process.env.LONGBOX_PORT, path: "/healthz", timeout: 5000 };
const request = get(address, (answer) => {
  answer.resume();
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
});
request.on("timeout", () => request.destroy());
request.on("error", () => {
  process.exitCode = 1;
});
