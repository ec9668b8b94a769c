/** An invalid command line: exit code 2, with a reference to the command's help. */
export class UsageError extends Error {}

/** The command failed: one sentence with the remedy, exit code 1. */
export class CommandError extends Error {}
