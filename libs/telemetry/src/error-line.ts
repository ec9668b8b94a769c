/** Deeper causes rarely add information. */
const maxMessages = 5;

/**
 * Returns the messages of an error and its causes on one line. It is for log lines about expected states, for example a peer
 * that has not started yet. A stack would look like a defect in such a line.
 */
export function errorLine(error: unknown): string {
  const messages: string[] = [];
  let each = error;
  while (each instanceof Error && messages.length < maxMessages) {
    // Some clients repeat the message of the cause in their own.
    const message = each.message.replace(/\.$/, '');
    if (!messages.at(-1)?.includes(message)) messages.push(message);
    each = each.cause;
  }
  return messages.length > 0 ? messages.join(': ') : String(error);
}
