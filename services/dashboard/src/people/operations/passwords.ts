import { addressGroup } from '@shopscope/client-address';
import { AppError, invalidField } from '@shopscope/errors';
import { givenEmail, givenPassword } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { Background } from '../../app/operations/background.ts';
import type { WebRequest } from '../../app/operations/web-request.ts';
import type { SendMail } from '../../app/outbound/send-mail.ts';
import type { Throttle } from '../../app/outbound/throttle.ts';
import { accountKey, rememberDevice } from '../domain/device-cookie.ts';
import { mails } from '../domain/mails.ts';
import type { Auth } from '../outbound/auth.ts';
import type { PeopleStore } from '../outbound/people.ts';
import { callAuth, passwordProblems } from './auth-problem.ts';
import { runLimitedMail } from './limited-mail.ts';
import type { SignedIn } from './sessions.ts';

export interface PasswordsDependencies {
  auth: Auth;
  secret: string;
  url: string;
  throttle: Throttle;
  people: PeopleStore;
  background: Background;
  sendMail: SendMail;
}

export type Passwords = ReturnType<typeof createPasswords>;

export function createPasswords(deps: PasswordsDependencies) {
  const { auth, throttle, people, background } = deps;

  return {
    /** Mails a link when the address has an account. The work runs after the response, so its time tells nothing. */
    async forgot(email: string, { address }: WebRequest): Promise<void> {
      const given = givenEmail('email', email);
      await throttle.attempt([limits.mailOfAddress, addressGroup(address)]);
      const hasAccount = async () => (await people.findByEmail(given)) !== undefined;
      runLimitedMail(deps, 'reset', given, () => auth.api.requestPasswordReset({ body: { email: given } }), hasAccount);
    },

    /** Sets a new password and ends every session. Other links that were mailed are void afterwards. */
    async reset(token: string, password: string, webRequest: WebRequest): Promise<string[]> {
      const newPassword = givenPassword('password', password);
      await throttle.attempt([limits.tokenOfAddress, addressGroup(webRequest.address)]);
      const { internalAdapter } = await auth.$context;
      const found = await callAuth(() => internalAdapter.findVerificationValue(`reset-password:${token}`));
      await callAuth(() => auth.api.resetPassword({ body: { newPassword, token } }), {
        INVALID_TOKEN: () =>
          new AppError('not_found', 'This link has expired, or it was used already. Ask for a new one.'),
      });
      const person = await people.findById(found?.value ?? '');
      if (!person) return [];
      await people.voidLinks(person.id);
      background.run(deps.sendMail(mails.passwordChanged(person, deps.url)));
      return [rememberDevice(deps.secret, webRequest.headers.get('cookie'), accountKey(person.email))];
    },

    /** Ends the other sessions. This session gets a new token. */
    async change(
      input: { currentPassword: string; newPassword: string },
      person: SignedIn,
      { headers }: WebRequest,
    ): Promise<string[]> {
      if (input.currentPassword === '') throw invalidField('currentPassword', 'Enter your current password.');
      const newPassword = givenPassword('newPassword', input.newPassword);
      const body = { currentPassword: input.currentPassword, newPassword, revokeOtherSessions: true };
      const change = () => auth.api.changePassword({ body, headers, returnHeaders: true });
      const changed = await throttle.guard([[limits.confirmationOfPerson, person.userId]], () =>
        callAuth(change, passwordProblems('currentPassword')),
      );
      await people.voidLinks(person.userId);
      background.run(deps.sendMail(mails.passwordChanged(person, deps.url)));
      return changed.headers.getSetCookie();
    },
  };
}
