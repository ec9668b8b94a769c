import { cleaned, quotedInMail } from '@shopscope/text';

/**
 * The texts of every mail. A mail states why it was sent, what to do, and what happens if the person does nothing.
 *
 * - Subjects are fixed. Only invitations contain text that a person chose, in quotation marks after the address of that person.
 * - No mail greets by name, because a stranger may have chosen the name together with another person's address.
 */
export interface MailText {
  to: string;
  subject: string;
  text: string;
}

interface Person {
  email: string;
  name: string;
}
type Recipient = Pick<Person, 'email'>;

/** `since`: the first failure. No status: no answer came. */
interface WebhookFacts extends Recipient {
  workspaceName: string;
  /** Its URL without the query. */
  endpoint: string;
  since: Date | undefined;
  status: number | undefined;
  error: string;
}

const instant = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const sinceWhen = (since: Date | undefined) => (since ? ` since ${instant.format(since)} UTC` : '');
function answerOf({ status, error }: Pick<WebhookFacts, 'status' | 'error'>): string {
  if (status !== undefined) return `The latest answer had the status ${status}.`;
  return error === '' ? 'No attempt is stored any more.' : `The latest attempt got no answer (${error}).`;
}

const mail = (to: string, subject: string, paragraphs: readonly string[]): MailText => ({
  to,
  subject,
  text: `${['Hello,', ...paragraphs].join('\n\n')}\n`,
});
const maxAddress = 254;
const asRole = (role: string) => (role === 'admin' ? 'an admin' : 'a member');
const invitationSubject = 'You are invited to a workspace on Shopscope';

export const mails = {
  verifyAddress: ({ email }: Recipient, link: string) =>
    mail(email, 'Confirm your e-mail address for Shopscope', [
      'Confirm that this address is yours by opening this link within an hour:',
      link,
      'Somebody entered this address when they created a Shopscope account. If it was not you, ignore this mail.',
    ]),

  accountExists: ({ email }: Recipient, url: string) =>
    mail(email, 'You already have a Shopscope account', [
      'Somebody tried to create a Shopscope account with this address, which already has one. Nothing was changed.',
      `Sign in: ${url}/sign-in`,
      `Choose a new password: ${url}/forgot-password`,
    ]),

  resetPassword: ({ email }: Recipient, link: string) =>
    mail(email, 'Choose a new password for Shopscope', [
      'Choose a new password by opening this link within an hour:',
      link,
      'The new password ends every session of your account. If you did not ask for it, ignore this mail: nothing changes.',
    ]),

  invitation: (
    {
      email,
      role,
      organization,
      inviter,
    }: { email: string; role: string; organization: { name: string }; inviter: { user: Person } },
    link: string,
  ) =>
    mail(email, invitationSubject, [
      `${cleaned(inviter.user.email, maxAddress)} (${quotedInMail(inviter.user.name)}) invites you to the workspace ${quotedInMail(organization.name)} as ${asRole(role)}.`,
      'Accept or decline the invitation within 7 days:',
      link,
      'If you do not know the sender, ignore this mail.',
    ]),

  passwordChanged: ({ email }: Recipient, url: string) =>
    mail(email, 'Your Shopscope password was changed', [
      'The password of your Shopscope account was changed, and the other sessions were ended. API keys stay valid.',
      `If it was not you, choose a new password at once: ${url}/forgot-password`,
      `If somebody else had your password, revoke the API keys that you do not know: ${url}/settings/api-keys`,
    ]),

  secondFactorChanged: ({ email }: Recipient, isOn: boolean, url: string) =>
    mail(email, `Two-step sign-in is ${isOn ? 'on' : 'off'} for your Shopscope account`, [
      isOn
        ? 'From now on, a sign-in with your password needs a code of your authenticator app or a backup code.'
        : 'From now on, your password alone is enough to sign in.',
      `If it was not you, choose a new password at once: ${url}/forgot-password`,
    ]),

  confirmNewAddress: (email: string, link: string) =>
    mail(email, 'Confirm your new e-mail address for Shopscope', [
      'Use this address for your Shopscope account by opening this link within an hour, in the browser in which you are signed in:',
      link,
      'If you did not ask for it, ignore this mail.',
    ]),

  addressInUse: ({ email }: Recipient) =>
    mail(email, 'Somebody wanted to use your e-mail address for Shopscope', [
      'Somebody wanted to use this address for another Shopscope account. An address belongs to one account only, so nothing was changed.',
    ]),

  addressChanged: (old: string, email: string) =>
    mail(old, 'Your Shopscope account has a new e-mail address', [
      `Your Shopscope account now has the address ${email}. This address cannot be used to sign in any more. The other sessions were ended.`,
      'If it was not you, ask Shopscope support for help at once.',
    ]),

  accountDeleted: ({ email }: Recipient) =>
    mail(email, 'Your Shopscope account was deleted', [
      'Your Shopscope account and its data were deleted. The audit logs of your workspaces keep what you changed, under the name and the address that you had then.',
    ]),

  webhookFailing: ({ email, workspaceName, endpoint, since, ...answer }: WebhookFacts, page: string) =>
    mail(email, 'A webhook endpoint of Shopscope is failing', [
      `No delivery to the webhook endpoint ${quotedInMail(endpoint)} of the workspace ${quotedInMail(workspaceName)} has succeeded${sinceWhen(since)}.`,
      `${answerOf(answer)} An answer with a status from 200 to 299 within 15 seconds is a success.`,
      'Failed deliveries are tried again. The endpoint is disabled when nothing succeeds for 5 days.',
      `The attempts and the endpoint: ${page}`,
    ]),

  webhookDisabled: ({ email, workspaceName, endpoint, since, ...answer }: WebhookFacts, page: string) =>
    mail(email, 'A webhook endpoint of Shopscope was disabled', [
      `The webhook endpoint ${quotedInMail(endpoint)} of the workspace ${quotedInMail(workspaceName)} was disabled. It has had no successful delivery${sinceWhen(since)}.`,
      `${answerOf(answer)} The status 410 disables an endpoint at once.`,
      'It receives no events. Mend the receiver, activate the endpoint, and replay the events that it missed.',
      `The attempts and the endpoint: ${page}`,
    ]),

  operatorInvitation: (
    { email, role, workspaceName }: { email: string; role: string; workspaceName: string },
    link: string,
  ) =>
    mail(email, invitationSubject, [
      `Shopscope support invites you to the workspace ${quotedInMail(workspaceName)} as ${asRole(role)}.`,
      'Accept or decline the invitation within 7 days:',
      link,
      'If you did not expect it, ignore this mail.',
    ]),
} as const;
