/** A failure that a user can resolve; the message is one sentence. */
export class DemoUsageError extends Error {}
