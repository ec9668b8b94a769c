/**
 * A list cannot be read. The message is one sentence for the person who gave it. It names the line if a line causes the
 * error.
 */
export class ListError extends Error {
  override name = 'ListError';
  readonly reason: 'no_column' | 'no_id_column' | 'unreadable';

  constructor(message: string, reason: ListError['reason'] = 'unreadable', options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
