import { confirm, t } from "@longbox/sdk/ui";

/** Only what a book can link to leaves it, only when the user agrees, and it learns nothing of this page. */
export async function follow(href: string): Promise<void> {
  const url = URL.parse(href);
  if (!url || !["http:", "https:", "mailto:", "tel:"].includes(url.protocol)) return;
  const agreed = await confirm({ heading: t("leaving.leaveTheBook"), text: url.href, action: t("leaving.open") });
  if (agreed) openApart(url.href);
}

/** Looks a selected text up. @param template - The address of a dictionary, with `{word}` in its place */
export function lookUp(text: string, template: string | null): void {
  if (template !== null) openApart(template.replaceAll("{word}", encodeURIComponent(text.trim().slice(0, 100))));
}

function openApart(address: string): void {
  open(address, "_blank", "noopener,noreferrer");
}
