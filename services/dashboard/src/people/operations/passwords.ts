import { addressGroup } from '@shopscope/client-address';
import { AppError, invalidField } from '@shopscope/errors';
import { parseEmail, parsePassword } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { SignedIn, WebRequest } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { accountKey, rememberDevice } from '../domain/device-cookie.ts';
import { mails } from '../domain/mails.ts';
import { callAuth, passwordProblems } from './auth-problem.ts';
import { runLimitedMail } from './limited-mail.ts';

/** Mails a link if the address has an account. The work runs after the response, so the response time does not show whether it has one. */
export async function forgot(deps: Dependencies, email: string, { address }: WebRequest): Promise<void> {
  const given = parseEmail('email', email);
  await deps.throttle.attempt([limits.mailOfAddress, addressGroup(address)]);
  const hasAccount = async () => (await deps.people.findByEmail(given)) !== undefined;
  runLimitedMail(
    deps,
    'reset',
    given,
    () => deps.auth.api.requestPasswordReset({ body: { email: given } }),
    hasAccount,
  );
}

/** Sets a new password and ends every session. Other mailed links become invalid. */
export async function reset(deps: Dependencies, token: string, password: string, webRequest: WebRequest) {
  const newPassword = parsePassword('password', password);
  await deps.throttle.attempt([limits.tokenOfAddress, addressGroup(webRequest.address)]);
  const { internalAdapter } = await deps.auth.$context;
  const found = await callAuth(() => internalAdapter.findVerificationValue(`reset-password:${token}`));
  await callAuth(() => deps.auth.api.resetPassword({ body: { newPassword, token } }), {
    INVALID_TOKEN: () => new AppError('not_found', 'This link has expired, or it was used already. Ask for a new one.'),
  });
  const person = await deps.people.findById(found?.value ?? '');
  if (!person) return [];
  await deps.people.voidLinks(person.id);
  deps.background.run(deps.sendMail(mails.passwordChanged(person, deps.url)));
  return [rememberDevice(deps.secret, webRequest.headers.get('cookie'), accountKey(person.email))];
}

/** Changes the password and ends the other sessions. This session gets a new token. */
export async function change(
  deps: Dependencies,
  input: { currentPassword: string; newPassword: string },
  person: SignedIn,
  { headers }: WebRequest,
): Promise<string[]> {
  if (input.currentPassword === '') throw invalidField('currentPassword', 'Enter your current password.');
  const newPassword = parsePassword('newPassword', input.newPassword);
  const body = { currentPassword: input.currentPassword, newPassword, revokeOtherSessions: true };
  const change = () => deps.auth.api.changePassword({ body, headers, returnHeaders: true });
  const changed = await deps.throttle.guard([[limits.confirmationOfPerson, person.userId]], () =>
    callAuth(change, passwordProblems('currentPassword')),
  );
  await deps.people.voidLinks(person.userId);
  deps.background.run(deps.sendMail(mails.passwordChanged(person, deps.url)));
  return changed.headers.getSetCookie();
}
