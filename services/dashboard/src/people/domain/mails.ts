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
