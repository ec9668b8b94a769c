/** A list that cannot be read as it is. The message is one sentence for the person who gave it, and names the line where there is one. */
export class ListError extends Error {
  override name = 'ListError';
  readonly reason: 'no_column' | 'no_id_column' | 'unreadable';

  constructor(message: string, reason: ListError['reason'] = 'unreadable', options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
