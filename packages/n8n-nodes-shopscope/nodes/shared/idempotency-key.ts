import { createHash } from 'node:crypto';

/** Everything that decides whether two requests are the same one. */
export interface RequestIdentity {
  /** The execution of n8n, or the seed that the user has set. */
  seed: string;
  workflowId: string;
  nodeName: string;
  /** Which run of the node in this execution, for example in a loop. */
  runIndex: number;
  /** Which request of the run. */
  step: string;
  /** With the body in the key, changed input gets a new key and never the error `conflict`. */
  body: unknown;
}

/** Equal requests have equal keys, also in another process. */
export function idempotencyKey({ seed, workflowId, nodeName, runIndex, step, body }: RequestIdentity): string {
  const identity = JSON.stringify([seed, workflowId, nodeName, runIndex, step, body]);
  return `n8n-${createHash('sha256').update(identity).digest('hex')}`;
}
