// Tells a user of one thing after the other, with an address that hears of each, and prints the number of each once it
// is acknowledged. Runs until it is killed. Arguments: the data folder, the address.
import { openTellingDesk } from "./telling-desk.ts";

const [, , dataFolder = "", url = ""] = process.argv;
const desk = await openTellingDesk({ dataFolder, storage: "sqlite" });
const admin = desk.host.as("admin");
const id = await desk.idOf("admin");
const { addresses, preferences } = (await admin.get("/api/notifications/choices")).body;
if (addresses.length === 0) {
  const fields = { url };
  const { body } = await admin.post("/api/notifications/addresses", { channel: "webhook", name: "Hook", fields });
  const system = { inApp: true, addresses: [body.id] };
  const { status } = await admin.post("/api/notifications/choices", { ...preferences, system });
  if (status >= 300) throw new Error(`The choices were answered with ${status}.`);
}
const before = Number((await admin.get("/api/notifications?limit=1")).headers.get("x-total-count"));
for (let number = before + 1; ; number += 1) {
  await desk.notify({ category: "system", title: `Number ${number}` }, { userIds: [id] });
  process.stdout.write(`${number}\n`);
}
