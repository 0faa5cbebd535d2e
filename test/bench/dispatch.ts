// What the kernel adds to a request: its route table, access, validation and headers, against polka alone.
import { Agent, request } from "undici";
import { startChild } from "./support/child.ts";
import { inTurns, median, percentile, report, timeEach } from "./support/measure.ts";

interface Address {
  readonly url: string;
  readonly key: string;
}

const server = `${import.meta.dirname}/support/answering-server.ts`;
await using kernel = await startChild<Address>(server, ["kernel"]);
await using bare = await startChild<Address>(server, ["polka"]);
await using dispatcher = Object.assign(new Agent({ connections: 1, pipelining: 1 }), {
  [Symbol.asyncDispose]: async () => dispatcher.close(),
});

const ask =
  ({ url, key }: Address) =>
  async () => {
    const { statusCode, body } = await request(`${url}/api/hello/Ada`, {
      dispatcher,
      headers: key === "" ? {} : { "x-api-key": key },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  };

await timeEach(10_000, ask(kernel.ready));
await timeEach(10_000, ask(bare.ready));
const { first, second } = await inTurns(
  5,
  () => timeEach(10_000, ask(kernel.ready)),
  () => timeEach(10_000, ask(bare.ready)),
);
// The median of the rounds' medians: a round in which the machine did something else does not count.
const ours = median(first.map(median)) * 1_000;
const polka = median(second.map(median)) * 1_000;
report({
  bench: "dispatch",
  kernelMicroseconds: ours,
  polkaMicroseconds: polka,
  addedMicroseconds: ours - polka,
  slowestMicroseconds: percentile(first.flat(), 1) * 1_000,
  ratio: ours / polka,
  // 50 µs more than polka's 35 or so, which is what it takes on a machine that does nothing else.
  atMost: { ratio: 2.5 },
  goal: "at most 50 µs more at the median",
});
