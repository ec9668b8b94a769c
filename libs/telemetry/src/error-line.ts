/** Deeper causes rarely add information. */
const maxMessages = 5;

/**
 * The messages of an error and its causes on one line. For log lines about expected states, for example a peer that has
 * not started yet. A stack would look like a defect there.
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
