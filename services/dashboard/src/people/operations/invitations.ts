import { AppError, invalidField, isServerFault } from '@shopscope/errors';
import type { Origin } from '@shopscope/telemetry';
import { APIError } from 'better-auth/api';
import { type PersonName, personId } from '../../app/domain/actor.ts';
import { parseEmail, parseName, parseOperator, parsePassword } from '../../app/domain/text.ts';
import type { SignedIn, WebRequest } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { invitationIdOf } from '../domain/invitation-link.ts';
import { mails } from '../domain/mails.ts';
import { invitationSeconds, invitationUrl } from '../outbound/auth.ts';
import type { OpenInvitation } from '../outbound/invitations.ts';
import { renewSession } from './renew-session.ts';

/** The same error for an expired, withdrawn, declined, accepted or invented invitation, and if the inviter is no longer an admin. */
const noSuchInvitation = () =>
  new AppError(
    'not_found',
    'This invitation cannot be used. It may have expired, or it was withdrawn or used already.',
  );

const now = (deps: Dependencies) => new Date(deps.clock.now());

const open = async (deps: Dependencies, token: string): Promise<OpenInvitation> => {
  const id = invitationIdOf(deps.secret, token);
  const found = id === undefined ? undefined : await deps.invitations.findOpen(id, now(deps));
  if (!found) throw noSuchInvitation();
  return found;
};

const join = async (
  deps: Dependencies,
  invitation: OpenInvitation,
  { userId, ...person }: PersonName & { userId: string },
  address: string,
): Promise<string> => {
  const outcome = await deps.invitations.accept(
    invitation.id,
    { userId, email: person.email },
    now(deps),
    ({ role }, tx) =>
      deps.auditOutbox.add(
        [
          {
            workspaceId: invitation.workspaceId,
            actor: userId,
            actorAddress: address,
            actorPerson: person,
            action: 'member.joined',
            subjectId: userId,
            detail: `as ${role}`,
          },
        ],
        now(deps),
        tx,
      ),
  );
  if (outcome === 'full') {
    throw new AppError('conflict', 'The workspace has the most members it can have. An admin has to remove one first.');
  }
  if (!outcome) throw noSuchInvitation();
  return invitation.workspaceId;
};

/** An invitation as a person who has its link sees it. */
export async function show(deps: Dependencies, token: string) {
  const { email, role, workspaceName, expiresAt } = await open(deps, token);
  /** The invited address has an account, so the person must sign in first. */
  const hasAccount = (await deps.people.findByEmail(email)) !== undefined;
  return { email, role, workspaceName, expiresAtMs: expiresAt.getTime(), hasAccount };
}

/** Makes the signed-in person a member. The session gets a new token, because its rights change. A second acceptance changes nothing. */
export async function accept(deps: Dependencies, token: string, person: SignedIn, webRequest: WebRequest) {
  const invitation = await open(deps, token).catch(async (error) => {
    const joined = await deps.people.findJoined(invitationIdOf(deps.secret, token) ?? '', person.userId);
    if (joined) return { ...joined, email: person.email };
    throw error;
  });
  requireAddress(invitation, person);
  if (!('id' in invitation)) return { workspaceId: invitation.workspaceId, cookies: [] };
  const { userId, name, email } = person;
  const workspaceId = await join(deps, invitation, { userId, name, email }, webRequest.address);
  return { workspaceId, cookies: await renewSession(deps.auth, webRequest.headers) };
}

export async function decline(deps: Dependencies, token: string, person: SignedIn): Promise<void> {
  const invitation = await open(deps, token);
  requireAddress(invitation, person);
  if (!(await deps.invitations.decline(invitation.id, person.email, now(deps)))) throw noSuchInvitation();
}

/**
 * Creates an account for the invited address, signs in and joins the workspace. The link was mailed to the address, so whoever has it can
 * read mail to the address. If the invitation ends or the workspace is full meanwhile, the person has an account and is signed in, but has
 * not joined: `workspaceId` is undefined.
 */
export async function signUp(
  deps: Dependencies,
  token: string,
  input: { name: string; password: string },
  webRequest: WebRequest,
): Promise<{ workspaceId: string | undefined; cookies: string[] }> {
  const invitation = await open(deps, token);
  const name = parseName('name', input.name);
  const password = parsePassword('password', input.password);
  const { email } = invitation;
  const body = { email, name, password };
  const { headers, address } = webRequest;
  const created = await deps.auth.api
    .createInvitedPerson({ body, headers, returnHeaders: true })
    .catch(async (error: unknown) => {
      if ((await deps.people.findByEmail(email)) === undefined && !(error instanceof APIError)) throw error;
      throw new AppError('conflict', 'This address has an account already. Sign in to accept the invitation.');
    });
  const { userId } = created.response;
  const workspaceId = await join(deps, invitation, { userId, name, email }, address).catch((error: unknown) => {
    if (error instanceof AppError && !isServerFault(error)) return undefined;
    throw error;
  });
  return { workspaceId, cookies: created.headers.getSetCookie() };
}

/** Invites a person for an operator. Creates the organization of the workspace if it is missing. */
export async function inviteByOperator(
  deps: Dependencies,
  input: { workspaceId: string; email: string; role: string; actor: string },
  origin: Origin,
): Promise<{ url: string; expiresAtMs: number }> {
  const email = parseEmail('email', input.email);
  const { role, workspaceId } = input;
  if (role !== 'admin' && role !== 'member') throw invalidField('role', 'must be admin or member');
  const actor = parseOperator('actor', input.actor);
  if (personId.test(actor)) throw invalidField('actor', 'must be the name of an operator, not the id of a person');
  const { workspace } = await deps.keys.getWorkspace(workspaceId, origin);
  const organizationId = await deps.organizations.ensure(workspaceId, workspace.name, now(deps));
  const expiresAt = new Date(deps.clock.now() + invitationSeconds * 1_000);
  const given = { organizationId, email, role, inviterId: actor, expiresAt };
  const entry = { workspaceId, actor, actorAddress: '', action: 'member.invited', subjectId: email };
  const stored = await deps.invitations.insert(given, now(deps), (tx) =>
    deps.auditOutbox.add([{ ...entry, detail: `${email} as ${role}` }], now(deps), tx),
  );
  if (stored === 'member') throw new AppError('conflict', 'This address belongs to a member of the workspace.');
  if (stored === 'closed') throw new AppError('conflict', 'The workspace is being deleted.');
  const url = invitationUrl(deps, stored.id);
  // The operator gets the link too, so a failure of the mail server does not prevent the invitation.
  deps.background.run(deps.sendMail(mails.operatorInvitation({ email, role, workspaceName: workspace.name }, url)));
  return { url, expiresAtMs: expiresAt.getTime() };
}

function requireAddress(invitation: { email: string }, { email }: SignedIn): void {
  if (invitation.email !== email.toLowerCase()) {
    throw new AppError(
      'forbidden_scope',
      'This invitation is for another address. Sign out, and sign in with that address.',
    );
  }
}
