/** The subjects of an action: one thing, or a selection of several things of the same kind. */
export interface ClientSubjects {
  /** Their kind, as named by the plugin that shows them, such as `shelf`. */
  readonly kind: string;
  /** Their fields; the addresses, bodies and conditions of actions refer to these. */
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/**
 * An action of an active plugin that this user may do with the subjects, as declared under `client.actions` in a
 * manifest.
 */
export interface OfferedAction {
  /** `<plugin>.<action>`. */
  readonly id: string;
  readonly label: string;
  readonly icon: string | undefined;
  /** Shown as a button; the others are in the menu behind ⋯. */
  readonly isPrimary: boolean;
  readonly isDangerous: boolean;
  /** The target, when it is a link. */
  readonly href: string | undefined;
  /** Asks for confirmation where the manifest says so, runs the action and shows the result. Never rejects. */
  run(): Promise<void>;
}

/** A short fact of a plugin about something that is shown: a number, a check mark, a progress or a mark. */
export type ClientBadge =
  | { readonly kind: "count"; readonly value: number; readonly label: string }
  | { readonly kind: "tick"; readonly label: string }
  /** @property value - Between 0 and 1 */
  | { readonly kind: "progress"; readonly value: number; readonly label: string }
  | { readonly kind: "mark"; readonly icon: string; readonly label: string };

/** The badges of one thing, and the facts about it that conditions of actions can refer to. */
export interface BadgedFacts {
  readonly badges: readonly ClientBadge[];
  readonly facts: Readonly<Record<string, boolean | number | string>>;
}
