import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { until } from "../plugins/support.js";
import { goOut } from "./going-out.js";

it("keeps nothing of a plugin's requests that are over, whether their answers were read, given up or left alone", async () => {
  await using out = await goOut((_, response) => void response.end("page ".repeat(100)));
  const go = async (number: number) => {
    const answer = await out.fetch(out.url, { signal: new AbortController().signal });
    // To follow each for as long as the plugin lives would be some 300 bytes a request.
    if (number % 3 === 0) await answer.text();
    else if (number % 3 === 1) await answer.body?.cancel();
  };
  const goOften = async (times: number) => {
    for (let number = 0; number < times; number += 15)
      await Promise.all(Array.from({ length: 15 }, (_, at) => go(number + at)));
  };
  await goOften(600);
  const before = await heldBytes();
  await goOften(2400);
  expect((await heldBytes()) - before).toBeLessThan(600_000);
});

it("ends an answer when the signal of the request does, also after its beginning has come", async () => {
  await using out = await goOut((_, response) => void response.write("begun"));
  const own = new AbortController();
  const answer = await out.fetch(out.url, { signal: own.signal });
  setFlagsFromString("--expose-gc");
  await heldBytes();
  const reading = answer.text().catch((failure: Error) => failure.message);
  own.abort(new Error("as asked"));
  expect(await reading).toBe("as asked");
  await expect(out.fetch(out.url, { signal: own.signal })).rejects.toThrow("as asked");
});

async function heldBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let last = Infinity;
  // What is finalised in one round can be collected in the next.
  await until(() => {
    collect();
    const now = process.memoryUsage().heapUsed;
    const settled = now > last - 20_000;
    last = now;
    return settled;
  });
  return last;
}
