import { limits } from '../../app/domain/throttle-limits.ts';
import type { Background } from '../../app/operations/background.ts';
import type { Throttle } from '../../app/outbound/throttle.ts';
import { mailboxKey } from '../domain/mailbox.ts';

/**
 * Runs the work of a mail after the response, unless the recipient got too many mails of this kind. The response does not show it.
 *
 * @param isDue Whether the work will send a mail. Only sent mails count. Otherwise addresses without an account, which differ from a
 * person's address in a tag, could use up the mails of that person unnoticed.
 */
export function runLimitedMail(
  { throttle, background }: { throttle: Throttle; background: Background },
  kind: string,
  email: string,
  work: () => Promise<unknown>,
  isDue: () => Promise<boolean> = async () => true,
): void {
  const run = async () => {
    if (!(await isDue())) return;
    if (await throttle.allows([limits.mailOfRecipient, `${kind}.${mailboxKey(email)}`])) await work();
  };
  background.run(run());
}
