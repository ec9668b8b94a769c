/**
 * Neither the usage event nor its void is known to be durable. Any status could be wrong, so none is sent: the connection
 * closes, and the caller knows that the outcome is unknown.
 */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('The outcome of the charge is unknown; the answer is withheld', { cause });
    this.name = 'OutcomeUnknownError';
  }
}
