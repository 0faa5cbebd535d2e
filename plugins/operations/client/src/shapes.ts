export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly title: string;
  readonly state: "queued" | "running" | "done" | "failed" | "cancelled";
  readonly done: number;
  readonly total: number;
  readonly message?: string;
  readonly estimateSeconds?: number;
  readonly error?: string;
  readonly queuedAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

export interface Schedule {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly cron: string;
  readonly defaultCron: string;
  readonly enabled: boolean;
  readonly timeZone: string;
  readonly running: boolean;
  readonly lastRunAt?: string;
  readonly lastState?: string;
  readonly lastError?: string;
  readonly nextRunAt?: string;
}

export interface Tool {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly dryRun: boolean;
  readonly running: boolean;
}

export interface Finding {
  readonly id: string;
  readonly title: string;
  readonly level: "ok" | "warning" | "error";
  readonly advice: string;
}

export interface LogLine {
  readonly id: number;
  readonly at: string;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly category: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
