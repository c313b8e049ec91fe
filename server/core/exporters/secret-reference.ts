const SECRET = /^\$(INFERLOOM_SECRET_[A-Z0-9_]+)$/;

/** Name of the secret that a value of a plan stands for, without the dollar; null for a value that means itself. */
export const secretName = (value: string): string | null => SECRET.exec(value)?.[1] ?? null;
