/** An account. */
export interface Account {
  readonly id: number;
  readonly username: string;
  readonly email: string | undefined;
  readonly role: string;
  readonly active: boolean;
  readonly hideMature: boolean;
  readonly createdAt: string;
  readonly lastSeenAt: string | undefined;
  readonly passwordHash: string | undefined;
  readonly language: string | undefined;
}
