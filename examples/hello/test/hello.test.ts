import { join } from "node:path";
import { startTestHost } from "@longbox/sdk/testing";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

it("greets whoever asks, with the word that the settings say", async () => {
  await using host = await startTestHost({ plugins: [folder], settings: { hello: { greeting: "Ahoy" } } });
  const answer = await host.as("viewer").get("/api/hello");
  expect(answer).toMatchObject({ status: 200, body: { message: expect.stringMatching(/^Ahoy, .+!$/) } });
  expect((await host.as("nobody").get("/api/hello")).status).toBe(401);
});
