/** The service worker that shows push messages while no page is open. It fetches nothing and stores nothing. */
export const serviceWorker = `"use strict";
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
  const url = new URL(event.notification.data?.url || "/notifications", self.location.origin);
  const target = url.origin === self.location.origin ? url.href : new URL("/notifications", self.location.origin).href;
  event.waitUntil(self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((windows) => {
    const open = windows.find((window) => new URL(window.url).origin === self.location.origin);
    return open ? open.navigate(target).then((window) => window && window.focus()).catch(() => self.clients.openWindow(target)) : self.clients.openWindow(target);
  }));
});
`;
