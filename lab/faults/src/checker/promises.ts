/** The promises of the table. docs/faults.md names them by their keys. */
export const promises = {
  billing: 'billed = ledger = usage',
  executions: 'one execution per key',
  jobs: 'returned job ↔ one job, in the end terminal',
  merges: 'one merge per scan',
  allowance: 'used ≤ included in every sample',
  lending: 'no 402 while a unit is merely lent',
  sold: 'exactly the included units are sold',
  returned: 'stranded units back ≤ 90 s after the fault',
  refusals: 'no valid request is refused',
  admission: 'admitted ≤ limit',
  revocation: 'no accept > 60 s after revocation',
  push: 'refused ≤ 5 s after revocation',
  replies: 'reply ≤ 10.5 s',
  recovery: 'recovers alone ≤ 15 s',
  /** A run that could not be finished breaks this promise. */
  end: 'the run came to an end',
} as const;

/** The problems found for each measured promise. A promise with an empty list held. */
export type Findings = Record<string, string[]>;
