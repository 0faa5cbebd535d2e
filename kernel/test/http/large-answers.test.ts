import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, defineRoute, indexParameter, reply } from "@longbox/sdk";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";
import { z } from "zod";

it("never mixes the bytes of answers that are sent at once, cut off, or asked for in parts", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longbox-large-"));
  const contents = Array.from({ length: 6 }, (_, index) => randomBytes(300_000 + index * 350_000));
  const paths = await Promise.all(
    contents.map(async (bytes, index) => {
      const path = join(folder, String(index));
      await writeFile(path, Buffer.concat([Buffer.alloc(index), bytes]));
      return path;
    }),
  );
  const plugin = definePlugin({
    activate(_, context) {
      // Every other one is read by a reader that has the file open.
      const read = (n: number) => async (target: Uint8Array, position: number) => {
        await new Promise((resolve) => setImmediate(resolve));
        target.set(contents[n]!.subarray(position - n, position - n + target.length));
      };
      const slice = (n: number) =>
        reply.content(
          {
            kind: "slice",
            path: paths[n]!,
            offset: n,
            length: contents[n]!.length,
            contentType: "image/jpeg",
            ...(n % 2 === 1 && { read: read(n) }),
          },
          { validator: `page-${n}` },
        );
      context.routes([
        defineRoute({
          method: "GET",
          path: "/api/large/{n}",
          summary: "Sends much",
          params: z.object({ n: indexParameter }),
          handle: ({ params }) => slice(params.n),
        }),
      ]);
    },
  });
  try {
    await using host = await startTestHost({
      plugins: [{ manifest: { id: "large", title: "Large", description: "Sends much", sdk: "^1.0.0" }, plugin }],
    });
    await host.as("viewer").get("/api/auth/me");
    const headers = { "X-Api-Key": host.as("viewer").key! };
    const read = async (turn: number) => {
      const n = turn % contents.length;
      const aborted = new AbortController();
      const answer = await fetch(`${host.url}/api/large/${n}`, {
        headers: { ...headers, ...(turn % 4 === 1 && { Range: "bytes=1000-250000" }) },
        signal: aborted.signal,
      });
      if (turn % 5 === 2) return aborted.abort();
      const bytes = Buffer.from(await answer.arrayBuffer());
      const wanted = turn % 4 === 1 ? contents[n]!.subarray(1000, 250_001) : contents[n]!;
      expect([turn, bytes.equals(wanted)]).toEqual([turn, true]);
    };
    for (let round = 0; round < 6; round++)
      await Promise.all(Array.from({ length: 25 }, (_, index) => read(round * 25 + index)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
