/** What a person at the keyboard can mend: one sentence with the remedy, shown without a stack. */
export class LocalStackError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalStackError';
  }
}
