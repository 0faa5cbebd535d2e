import { startKernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";

it("refuses a test that read nothing of a request that failed, and names the request", async () => {
  const host = await startKernelTestHost();
  const admin = host.as("admin");
  expect((await admin.get("/api/none")).status).toBe(404);
  expect((await admin.get("/api/none")).body).toMatchObject({ code: expect.any(String) });
  expect((await admin.get("/api/none")).body.error).toMatch(/\.$/);
  await admin.get("/healthz");
  await admin.get("/api/ignored");
  await expect(host[Symbol.asyncDispose]()).rejects.toThrow(
    /^The test did not read the status of a request that failed:\nGET \/api\/ignored answered 404 .*\n {2}at .*unread-failures\.test\.ts/,
  );
});
