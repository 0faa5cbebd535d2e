import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { Compressor } from "../../src/http/answering/compressing.js";

it("keeps no more memory than the compressed bytes, and makes them once", async () => {
  const compressor = new Compressor();
  const text = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, title: "Night Bell" })));
  for (const coding of ["br", "gzip"] as const) {
    const small = await compressor.compress(text, coding);
    expect(small.length).toBeLessThan(text.length / 4);
    expect(small.buffer.byteLength).toBe(small.length);
    expect(await compressor.compress(text, coding)).toBe(small);
  }
  expect(gunzipSync(await compressor.compress(text, "gzip")).toString()).toBe(text);
});
