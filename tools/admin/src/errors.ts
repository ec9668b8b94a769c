/** The command line itself is wrong: exit code 2, with a pointer to the command's help. */
export class UsageError extends Error {}

/** The command cannot be carried out as things are: one sentence with the remedy, exit code 1. */
export class CommandError extends Error {}
