// Criterion 27, the part on requests: what the kernel adds to a request at the median, against polka alone.
import path from "node:path";
import { needsLongRun } from "@longbox/test/needs";
import { Agent, request } from "undici";
import { expect, it } from "vitest";
import { startChild } from "../../../test/bench/support/child.ts";
import { inTurns, median, timeEach } from "../../../test/bench/support/measure.ts";

interface Address {
  readonly url: string;
  readonly key: string;
}

const server = path.join(import.meta.dirname, "../../../test/bench/support/answering-server.ts");

/** Medians in microseconds, of the best of some rounds: what else the machine does only ever adds. */
async function measure(rounds: number, count: number): Promise<{ kernel: number; polka: number }> {
  await using kernel = await startChild<Address>(server, ["kernel"]);
  await using bare = await startChild<Address>(server, ["polka"]);
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const asking = ({ url, key }: Address) => {
    const headers = key === "" ? {} : { "x-api-key": key };
    return async () => {
      const { statusCode, body } = await request(`${url}/api/hello/Ada`, { dispatcher, headers });
      await body.dump();
      expect(statusCode).toBe(200);
    };
  };
  const [ours, theirs] = [asking(kernel.ready), asking(bare.ready)];
  await timeEach(2_000, ours);
  await timeEach(2_000, theirs);
  const { first, second } = await inTurns(
    rounds,
    () => timeEach(count, ours),
    () => timeEach(count, theirs),
  );
  await dispatcher.close();
  const best = (times: number[][]) => Math.min(...times.map(median)) * 1_000;
  return { kernel: best(first), polka: best(second) };
}

it("criterion 27: a request takes at most two and a half times what polka alone takes", async () => {
  // 50 µs more than the 35 or so that polka takes on a machine that does nothing else. Both are at their best when it
  // is quiet.
  let [kernel, polka] = [Infinity, Infinity];
  for (let tries = 0; tries < 4 && !(kernel / polka < 2.5); tries++) {
    const measured = await measure(6, 500);
    kernel = Math.min(kernel, measured.kernel);
    polka = Math.min(polka, measured.polka);
  }
  expect(kernel / polka).toBeLessThan(2.5);
});

it(
  "criterion 27: the kernel adds at most 50 µs to a request at the median",
  { ...needsLongRun, timeout: 300_000 },
  async () => {
    const { kernel, polka } = await measure(20, 2_000);
    expect(kernel - polka).toBeLessThan(50);
  },
);
