import type { Counter } from '@shopscope/telemetry';
import type { SendMail } from './send-mail.ts';

/**
 * Counts mails by their outcome.
 *
 * - The mail server reports that the recipient does not exist -> `refused`. Anybody can type such an address, so no alert counts it.
 * - Every other failure, including a refused sender or relay -> `failed`.
 */
export function countMails(send: SendMail, mails: Counter<'outcome'>): SendMail {
  return async (mail) => {
    try {
      await send(mail);
      mails.inc({ outcome: 'sent' });
    } catch (error) {
      mails.inc({ outcome: isNoSuchRecipient(error) ? 'refused' : 'failed' });
      throw error;
    }
  };
}

/** Whether the mail server permanently refused the recipient's address: the enhanced status is 5.1.x (RFC 3463). */
export const isNoSuchRecipient = (error: unknown): boolean => {
  const { command, response } = error as { command?: unknown; response?: unknown };
  return command === 'RCPT TO' && /^5\d\d[ -]5\.1\.\d/.test(String(response));
};
