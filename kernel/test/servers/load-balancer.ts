import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { until } from "../plugins/support.js";

/** The program of Debian's package `nginx`; undefined where it is not installed. */
export const nginxProgram = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path));

/** nginx, which has each of these servers answer in turn, on a free port of loopback. */
export async function balance(folder: string, urls: readonly string[]): Promise<AsyncDisposable & { url: string }> {
  const port = await freePort();
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = join(folder, "nginx.conf");
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 256; }
http {
  access_log off; ${places.map((name) => `${name}_temp_path ${folder}/nginx-${name};`).join(" ")}
  upstream library { ${urls.map((url) => `server ${new URL(url).host} max_fails=0;`).join(" ")} }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://library; proxy_set_header Host $http_host; } }
}`,
  );
  const child = spawn(nginxProgram!, ["-e", `${folder}/nginx.log`, "-p", folder, "-c", config], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
