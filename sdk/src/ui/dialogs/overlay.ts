import { adoptStyles, render, type CSSResultGroup, type CSSResultOrNative } from "lit";

/** An overlay over the page that belongs to no element: created when it opens, removed when it closes. */
export interface Overlay {
  readonly root: ShadowRoot;
  /** Renders its content. */
  draw(content: unknown): void;
  remove(): void;
}

/**
 * @param near - What it was opened from. Within an open dialog it belongs to that dialog, since the rest of the page is
 *   inert.
 */
export function overlay(styles: CSSResultGroup, near?: Element): Overlay {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  adoptStyles(root, [styles].flat(9) as CSSResultOrNative[]);
  (openDialogAround(near) ?? document.body).append(host);
  return {
    root,
    draw: (content) => void render(content, root),
    remove: () => host.remove(),
  };
}

function openDialogAround(element: Element | undefined): Element | undefined {
  let at: Element | null | undefined = element;
  while (at) {
    const dialog = at.closest("dialog[open]");
    if (dialog) return dialog;
    const root = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : undefined;
  }
  return undefined;
}
