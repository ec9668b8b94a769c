/** An error that a user can resolve: one sentence with the remedy, printed without a stack. */
export class LocalStackError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalStackError';
  }
}
