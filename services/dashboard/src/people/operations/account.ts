import { hash, randomBytes } from 'node:crypto';
import { AppError, invalidField } from '@shopscope/errors';
import { isolated } from '@shopscope/text';
import { parseEmail, parseName } from '../../app/domain/text.ts';
import { limits } from '../../app/domain/throttle-limits.ts';
import { actorOf, requireRecentSignIn, type SignedIn, type WebRequest } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { mails } from '../domain/mails.ts';
import { runLimitedMail } from './limited-mail.ts';
import { renewSession } from './renew-session.ts';
import { withdrawals } from './withdrawals.ts';

const linkMs = 60 * 60_000;
const tokenHash = (token: string) => hash('sha256', token, 'base64url');

const now = (deps: Dependencies) => new Date(deps.clock.now());

export async function rename(deps: Dependencies, name: string, { userId }: SignedIn): Promise<void> {
  await deps.people.rename(userId, parseName('name', name));
}

/** Mails a link to the new address. The response is the same if another account has the address. */
export async function requestEmailChange(deps: Dependencies, email: string, person: SignedIn): Promise<void> {
  requireRecentSignIn(person, deps.clock.now());
  const given = parseEmail('email', email);
  if (given === person.email) throw invalidField('email', 'This is your address already.');
  await deps.throttle.attempt([limits.mailOfRecipient, `address.${person.userId}`]);
  const token = randomBytes(32).toString('base64url');
  await deps.people.requestEmailChange(person.userId, given, tokenHash(token), new Date(deps.clock.now() + linkMs));
  runLimitedMail(deps, 'address', given, async () => {
    const other = await deps.people.findByEmail(given);
    await deps.sendMail(
      other ? mails.addressInUse(other) : mails.confirmNewAddress(given, `${deps.url}/account/address?token=${token}`),
    );
  });
}

/** The new address of the link; undefined if this person cannot use the link. */
export const pendingEmail = (deps: Dependencies, token: string, { userId }: SignedIn) =>
  deps.people.findEmailChange(userId, tokenHash(token), now(deps));

/** Changes the address, ends the other sessions and sends a mail to the old address. This session gets a new token. */
export async function changeAddress(deps: Dependencies, token: string, person: SignedIn, { headers }: WebRequest) {
  const email = await deps.people.changeAddress(person.userId, tokenHash(token), now(deps));
  if (email === undefined) throw new AppError('not_found', 'This link has expired, or it was used already.');
  if (email === 'taken') throw new AppError('conflict', 'This address cannot be used. Choose another one.');
  await deps.sessions.endAll(person.userId, { except: person.sessionId });
  deps.background.run(deps.sendMail(mails.addressChanged(person.email, email)));
  return renewSession(deps.auth, headers);
}

/** Returns all stored data of the person as JSON. */
export async function exportAccount(deps: Dependencies, person: SignedIn): Promise<string> {
  requireRecentSignIn(person, deps.clock.now());
  const exported = await deps.people.export(person.userId);
  return `${JSON.stringify({ exported_at: now(deps), ...exported }, null, 2)}\n`;
}

/** The effects of a deletion of the account on the person's workspaces. */
export async function effectsOfDeletion(deps: Dependencies, { userId }: SignedIn) {
  const all = await deps.organizations.standingsOf(userId);
  return {
    /** Workspaces that prevent the deletion: the person is the last admin, but other members would remain. */
    lastAdminOf: all.filter(({ standing }) => standing === 'last_admin').map(({ name }) => name),
    /** Workspaces that are deleted too: the person is the admin and the only member. */
    deleted: all.filter(({ standing }) => standing === 'only_admin').map(({ name }) => name),
    left: all
      .filter(({ standing }) => standing === 'other')
      .map(({ workspaceId, name, role }) => ({ workspaceId, name, isAdmin: role === 'admin' })),
  };
}

/**
 * Deletes the account. A failure after each step:
 *
 * 1. Refuse while the person is the last admin of a workspace with other members. -> Nothing changed.
 * 2. Close the workspaces whose admin and only member the person is. -> Nobody can join them. A repeated deletion continues. If the keys
 *    service refuses step 3, they are opened again.
 * 3. Delete them in the keys service, which revokes their keys. -> As after step 2.
 * 4. Delete the person, the memberships and these workspaces, in one transaction. It repeats the check of step 1.
 */
export async function deleteAccount(deps: Dependencies, address: string, person: SignedIn, webRequest: WebRequest) {
  requireRecentSignIn(person, deps.clock.now());
  if (address.trim().toLowerCase() !== person.email) {
    throw invalidField('address', 'Type the e-mail address of your account to delete it.');
  }
  const { userId } = person;
  const actor = actorOf({ person, address: webRequest.address });
  // Step 1: the refusal for the last admin.
  const all = await deps.organizations.standingsOf(userId);
  requireNoLastAdmin(all);
  const own = all.filter(({ standing }) => standing === 'only_admin');
  const deleted: string[] = [];
  for (const { organizationId, workspaceId, name } of own) {
    // Step 2: the closing of the workspace.
    if (!(await deps.organizations.beginDeletion(organizationId, now(deps), userId))) throw membersChanged(deleted);
    // Step 3: the deletion in the keys service.
    await deps.keys.deleteWorkspace({ workspaceId, ...actor }, webRequest.origin).catch(async (error) => {
      if (error instanceof AppError && error.status < 500) await deps.organizations.cancelDeletion(organizationId);
      throw error;
    });
    deleted.push(name);
  }
  const others = all.filter(({ standing }) => standing !== 'only_admin');
  // Step 4: the deletion of the person.
  await deps.transact(async (tx) => {
    for (const { organizationId, workspaceId } of others) {
      const changed = await deps.organizations.removeMemberWithin(tx, organizationId, userId);
      if (changed.outcome === 'last_admin') throw membersChanged(deleted);
      if (changed.outcome !== 'done') continue;
      const by = { workspaceId, ...actor };
      const left = { ...by, action: 'member.left', subjectId: userId, detail: 'The account was deleted.' };
      await deps.auditOutbox.add([left, ...withdrawals(by, changed.withdrawn)], now(deps), tx);
    }
    for (const { organizationId } of own) await deps.organizations.finishDeletion(organizationId, tx);
    await deps.people.delete(userId, tx);
  });
  deps.background.run(deps.sendMail(mails.accountDeleted(person)));
}

function membersChanged(deleted: readonly string[]): AppError {
  const done =
    deleted.length === 0
      ? 'Nothing was deleted.'
      : `Already deleted, with all keys: ${deleted.map(isolated).join(', ')}.`;
  return new AppError(
    'conflict',
    `The members of one of your workspaces changed meanwhile. Your account was not deleted. ${done} Try again.`,
  );
}

function requireNoLastAdmin(all: readonly { standing: string; name: string }[]): void {
  const names = all.filter(({ standing }) => standing === 'last_admin').map(({ name }) => isolated(name));
  if (names.length === 0) return;
  throw new AppError(
    'conflict',
    `You are the last admin of ${names.join(', ')}. Make another member an admin, or delete the workspace, first.`,
  );
}
