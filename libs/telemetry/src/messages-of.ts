/** A cause has a cause; what is worth reading stands in the first few. */
const messagesMax = 5;

/**
 * The messages of an error and its causes on one line. For log lines about states that are to be expected, e.g. a peer
 * that has not started yet: there a stack would look like a defect.
 */
export function messagesOf(error: unknown): string {
  const messages: string[] = [];
  let each = error;
  while (each instanceof Error && messages.length < messagesMax) {
    // Some clients repeat the cause's message in their own.
    const message = each.message.replace(/\.$/, '');
    if (!messages.at(-1)?.includes(message)) messages.push(message);
    each = each.cause;
  }
  return messages.length > 0 ? messages.join(': ') : String(error);
}
