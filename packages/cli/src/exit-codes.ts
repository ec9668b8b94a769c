/** Exit codes of all commands. docs/guides/cli.md has the same table. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  /** The key is wrong or lacks a scope. */
  access: 3,
  notFound: 4,
  /** The allowance of the period is spent. */
  allowance: 5,
  /** The same command may succeed later. */
  temporary: 6,
  interrupted: 130,
} as const;

/** The command was called wrongly, or cannot begin. The message says what to do. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The person ended the command. The message says what was kept. */
export class InterruptedError extends Error {
  override name = 'InterruptedError';
}
