/**
 * Neither the usage event nor its void is known to be durable. Every status could be wrong, so the connection closes
 * without a response.
 */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('The outcome of the charge is unknown; the response is withheld', { cause });
    this.name = 'OutcomeUnknownError';
  }
}
