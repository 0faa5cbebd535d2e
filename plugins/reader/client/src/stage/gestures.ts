import type { Point } from "./view-box.js";

export interface GestureListener {
  /** A short touch or click that did not move. */
  tap(point: Point, kind: "touch" | "mouse" | "pen"): void;
  /** Movement since the last call, in CSS pixels. `total` is that since the finger went down. */
  drag(movement: Point, total: Point): void;
  /** The finger was lifted. `velocity` is in pixels per millisecond. */
  dragEnd(total: Point, velocity: Point): void;
  /** Two fingers: the factor since the last call, about the point between them. */
  pinch(factor: number, centre: Point, movement: Point): void;
}

/** Movements of fewer pixels are ignored. */
const stillness = 8;
const longestTapMs = 500;

interface Touch {
  readonly start: Point;
  readonly startedAt: number;
  last: Point;
  lastAt: number;
  velocity: Point;
}

/** Turns pointer events on an element into taps, drags and pinches. Points are relative to the element. */
export class Gestures {
  readonly #element: HTMLElement;
  readonly #listener: GestureListener;
  readonly #touches = new Map<number, Touch>();
  readonly #stop = new AbortController();
  #moved = false;
  #pinched = false;

  constructor(element: HTMLElement, listener: GestureListener) {
    this.#element = element;
    this.#listener = listener;
    const { signal } = this.#stop;
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    element.addEventListener("pointermove", (event) => this.#move(event), { signal });
    element.addEventListener("pointerup", (event) => this.#up(event), { signal });
    element.addEventListener("pointercancel", (event) => this.#cancel(event), { signal });
  }

  release(): void {
    this.#stop.abort();
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#element.setPointerCapture(event.pointerId);
    if (this.#touches.size === 0) this.#moved = this.#pinched = false;
    const point = this.#point(event);
    this.#touches.set(event.pointerId, {
      start: point,
      startedAt: event.timeStamp,
      last: point,
      lastAt: event.timeStamp,
      velocity: { x: 0, y: 0 },
    });
  }

  #move(event: PointerEvent): void {
    const touch = this.#touches.get(event.pointerId);
    if (!touch) return;
    const point = this.#point(event);
    const movement = { x: point.x - touch.last.x, y: point.y - touch.last.y };
    if (this.#touches.size === 2) this.#pinch(event.pointerId, point);
    else if (!this.#pinched) this.#drag(touch, point, movement);
    const elapsed = Math.max(1, event.timeStamp - touch.lastAt);
    touch.velocity = { x: movement.x / elapsed, y: movement.y / elapsed };
    touch.last = point;
    touch.lastAt = event.timeStamp;
  }

  #drag(touch: Touch, point: Point, movement: Point): void {
    const total = { x: point.x - touch.start.x, y: point.y - touch.start.y };
    if (!this.#moved && Math.hypot(total.x, total.y) < stillness) return;
    this.#moved = true;
    this.#listener.drag(movement, total);
  }

  #pinch(movedId: number, point: Point): void {
    this.#pinched = this.#moved = true;
    const other = [...this.#touches].find(([id]) => id !== movedId)![1].last;
    const before = this.#touches.get(movedId)!.last;
    const factor = distance(point, other) / Math.max(1, distance(before, other));
    const centre = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
    this.#listener.pinch(factor, centre, { x: (point.x - before.x) / 2, y: (point.y - before.y) / 2 });
  }

  #up(event: PointerEvent): void {
    const touch = this.#touches.get(event.pointerId);
    if (!touch) return;
    this.#touches.delete(event.pointerId);
    const point = this.#point(event);
    if (this.#pinched) return;
    if (!this.#moved && event.timeStamp - touch.startedAt < longestTapMs)
      this.#listener.tap(point, event.pointerType as "touch" | "mouse" | "pen");
    else if (this.#moved)
      this.#listener.dragEnd({ x: point.x - touch.start.x, y: point.y - touch.start.y }, touch.velocity);
  }

  #cancel(event: PointerEvent): void {
    const touch = this.#touches.get(event.pointerId);
    this.#touches.delete(event.pointerId);
    if (touch && this.#moved && !this.#pinched) this.#listener.dragEnd({ x: 0, y: 0 }, { x: 0, y: 0 });
  }

  #point(event: PointerEvent): Point {
    const box = this.#element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
