/**
 * Neither the usage event nor its void is known to be durable: whatever status the answer had, it could be a lie. The
 * connection closes without one, and the caller knows that the outcome is unknown.
 */
export class AnswerWithheld extends Error {
  constructor(cause: unknown) {
    super('The outcome of the charge is unknown; the answer is withheld', { cause });
    this.name = 'AnswerWithheld';
  }
}
