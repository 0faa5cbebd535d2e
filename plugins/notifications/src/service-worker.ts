/** The service worker that shows push messages while no page is open. It fetches nothing and stores nothing. */
export const serviceWorker = `"use strict";
// Where Longbox begins on its host; paths in messages begin at its root.
const base = self.location.origin + self.location.pathname.split("/api/notifications/")[0];
const addressOf = (path) => (path.startsWith("/") && !path.startsWith("//") ? base + path : path);
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => {
  let message = {};
  try { message = event.data ? event.data.json() : {}; } catch { message = {}; }
  event.waitUntil(self.registration.showNotification(String(message.title || "Longbox"), {
    body: String(message.body || ""),
    tag: String(message.id || ""),
    data: { url: typeof message.url === "string" ? message.url : "/notifications" },
  }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = addressOf(event.notification.data?.url || "/notifications");
  const target = wanted.startsWith(base + "/") ? wanted : addressOf("/notifications");
  event.waitUntil(self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
    const open = windows.find((window) => window.url.startsWith(base + "/"));
    return open ? open.navigate(target).then((window) => window && window.focus()).catch(() => self.clients.openWindow(target)) : self.clients.openWindow(target);
  }));
});
`;
