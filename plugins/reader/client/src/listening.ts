export interface ReaderListeners {
  key(event: KeyboardEvent): void;
  resize(): void;
  pointer(event: PointerEvent): void;
  touch(): void;
}

/** Listens to the window and to the reader, until the signal aborts. */
export function listenTo(reader: HTMLElement, listeners: ReaderListeners, signal: AbortSignal): void {
  // Registered before the shell's shortcuts, which do not apply on this page.
  addEventListener("keydown", (event) => listeners.key(event), { capture: true, signal });
  addEventListener("resize", () => listeners.resize(), { signal });
  document.addEventListener("fullscreenchange", () => listeners.resize(), { signal });
  reader.addEventListener("pointermove", (event) => listeners.pointer(event), { signal });
  for (const name of ["pointerdown", "wheel"] as const)
    reader.addEventListener(name, () => listeners.touch(), { passive: true, signal });
}
