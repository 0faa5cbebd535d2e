import { startKernelTestHost } from "@longbox/kernel/testing";
import { expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { setUp } from "./support/browser.js";
import { startCertifiedProvider } from "./support/certified-provider.js";

it("links the account to a provider on the account page, signs in there, and unlinks it", async () => {
  const person = { preferred_username: "someone", email: "a@club.example", email_verified: true, groups: [] };
  await using provider = await startCertifiedProvider({ "s-admin": person });
  await using host = await startKernelTestHost({ plugins: ["sign-in-oidc", "web"] });
  const label = "The club";
  const clientSecret = "a secret of the provider";
  await setUp(host, [{ label, key: "club", issuer: provider.issuer, clientId: "longbox", clientSecret }]);
  provider.signsIn("s-admin");
  const users = host.as("admin");
  await users.post("/api/users", { username: "owner", password: "longbox123", role: "viewer" });
  await using browser = await startChromium();
  const page = await visit(browser, host.url);
  await page.context().request.post(`${host.url}/api/auth/login`, {
    data: { username: "owner", password: "longbox123" },
    headers: { origin: host.url },
  });
  await page.goto("/account");
  await page.getByRole("button", { name: "Link The club" }).click();
  await page.getByText("The club is linked to your account").waitFor();
  expect(new URL(page.url()).pathname).toBe("/account");

  const other = await visit(browser, host.url);
  await other.goto("/api/auth/providers/club/login?next=/account");
  await other.getByRole("heading", { level: 1, name: "owner" }).waitFor();
  await other.getByRole("button", { name: "Unlink The club" }).click();
  await other.getByRole("button", { name: "Link The club" }).waitFor();
});
