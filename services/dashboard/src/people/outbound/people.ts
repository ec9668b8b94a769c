import { isDuplicateKey, type Transact, type Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import type { InvitationDocument, SessionDocument, UserDocument } from '../../app/outbound/auth-documents.ts';
import type { FreeWorkspaceStore } from './free-workspaces.ts';

interface AccountDocument {
  userId: string;
  providerId: string;
  accountId: string;
  createdAt: Date;
}

interface AddressChangeDocument {
  _id: string;
  email: string;
  tokenHash: string;
  expiresAt: Date;
}

export const addressChangeIndexes = [{ key: { expiresAt: 1 }, options: { expireAfterSeconds: 0 } }] as const;

const maxExport = 10_000;

/** Reads and writes the people of better-auth where the API of better-auth does not suffice. */
export function createPeopleStore(
  db: Db,
  transact: Transact,
  freeWorkspaces: Pick<FreeWorkspaceStore, 'findByPerson' | 'forgetPerson'>,
) {
  const users = db.collection<UserDocument>('user');
  const members = db.collection<{ organizationId: string; userId: string }>('member');
  const invitations = db.collection<InvitationDocument>('invitation');
  const organizations = db.collection<{ _id: string; slug: string }>('organization');
  const accounts = db.collection<AccountDocument>('account');
  const sessions = db.collection<SessionDocument>('session');
  const secondFactors = db.collection<{ userId: string }>('twoFactor');
  const verifications = db.collection<{ value: string }>('verification');
  const addressChanges = db.collection<AddressChangeDocument>('address_changes');

  const exportInvitations = async (filter: { email: string } | { inviterId: string }) => {
    const found = invitations.aggregate<InvitationDocument & { organization: { slug: string }[] }>([
      { $match: filter },
      { $limit: maxExport },
      { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
    ]);
    return (await found.toArray()).map(({ email, organization, role, status, createdAt, expiresAt }) => ({
      address: email,
      workspace_id: organization[0]?.slug ?? null,
      role,
      status,
      created_at: createdAt,
      expires_at: expiresAt,
    }));
  };

  return {
    async findByEmail(email: string) {
      return toPerson(await users.findOne({ email }));
    },
    async findById(id: string) {
      return toPerson(await users.findOne({ _id: id }));
    },
    /** The person's ways to sign in. `credential` is a password. */
    async providersOf(userId: string): Promise<string[]> {
      return (await accounts.find({ userId }).toArray()).map(({ providerId }) => providerId);
    },
    /** Makes every mailed link, and every sign-in that waits for a code, invalid. */
    async voidLinks(userId: string): Promise<void> {
      await verifications.deleteMany({ value: userId });
      await addressChanges.deleteOne({ _id: userId });
    },
    async rename(userId: string, name: string): Promise<void> {
      await users.updateOne({ _id: userId }, { $set: { name, updatedAt: new Date() } });
    },

    /** Stores the requested address until its link is opened. A newer request replaces it. */
    async requestEmailChange(userId: string, email: string, tokenHash: string, expiresAt: Date): Promise<void> {
      await addressChanges.replaceOne({ _id: userId }, { email, tokenHash, expiresAt }, { upsert: true });
    },
    async findEmailChange(userId: string, tokenHash: string, now: Date): Promise<string | undefined> {
      return (await addressChanges.findOne({ _id: userId, tokenHash, expiresAt: { $gt: now } }))?.email;
    },
    /**
     * Changes the address and makes mailed links invalid, in one transaction. Resolves to `taken` if another account
     * has the address, and to undefined if the request has expired, was replaced or was carried out before.
     */
    async changeAddress(userId: string, tokenHash: string, now: Date): Promise<string | 'taken' | undefined> {
      try {
        return await transact(async (tx) => {
          const pending = await addressChanges.findOneAndDelete(
            { _id: userId, tokenHash, expiresAt: { $gt: now } },
            tx,
          );
          if (!pending) return undefined;
          const { email } = pending;
          await users.updateOne({ _id: userId }, { $set: { email, emailVerified: true, updatedAt: now } }, tx);
          await verifications.deleteMany({ value: userId }, tx);
          return email;
        });
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },

    /** All data that this service stores about a person, except secrets. */
    async export(userId: string): Promise<Record<string, unknown>> {
      const user = await users.findOne({ _id: userId });
      const [accountRows, sessionRows, memberships, received, sent, change, claim] = await Promise.all([
        accounts.find({ userId }).toArray(),
        sessions.find({ userId }).sort({ createdAt: -1 }).limit(maxExport).toArray(),
        members
          .aggregate([
            { $match: { userId } },
            {
              $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' },
            },
            { $unwind: '$organization' },
            { $limit: maxExport },
          ])
          .toArray(),
        user ? exportInvitations({ email: user.email }) : [],
        exportInvitations({ inviterId: userId }),
        addressChanges.findOne({ _id: userId }),
        freeWorkspaces.findByPerson(userId),
      ]);
      return {
        person: user && {
          id: user._id,
          email: user.email,
          email_verified: user.emailVerified,
          name: user.name,
          created_at: user.createdAt,
          second_factor: user.twoFactorEnabled === true,
          workspace_name_at_sign_up: user.workspaceName ?? null,
          pending_email: change && { email: change.email, expires_at: change.expiresAt },
        },
        ways_to_sign_in: accountRows.map(({ providerId, accountId, createdAt }) => ({
          kind: providerId === 'credential' ? 'password' : 'single_sign_on',
          ...(providerId !== 'credential' && { subject: accountId }),
          created_at: createdAt,
        })),
        sessions: sessionRows.map(({ createdAt, authenticatedAt, expiresAt, lastSeenAt, ipAddress, userAgent }) => ({
          signed_in_at: createdAt,
          signed_in_at_issuer_at: authenticatedAt ?? null,
          last_seen_at: lastSeenAt ?? createdAt,
          expires_at: expiresAt,
          address: ipAddress ?? null,
          user_agent: userAgent ?? null,
        })),
        workspaces: memberships.map(({ role, createdAt, organization }) => ({
          id: organization.slug,
          name: organization.name,
          role,
          member_since: createdAt,
        })),
        free_workspace: claim ?? null,
        invitations_received: received,
        invitations_sent: sent,
      };
    },

    /** Deletes a person and all documents that refer to the person, in one transaction. */
    async delete(userId: string, tx: Tx): Promise<void> {
      const user = await users.findOneAndDelete({ _id: userId }, tx);
      for (const collection of [accounts, sessions, members, secondFactors])
        await collection.deleteMany({ userId }, tx);
      await verifications.deleteMany({ value: userId }, tx);
      await addressChanges.deleteOne({ _id: userId }, tx);
      await freeWorkspaces.forgetPerson(userId, tx);
      if (user) await invitations.deleteMany({ email: user.email }, tx);
    },

    /** The workspace of an accepted invitation, if the person is a member of it. */
    async findJoined(invitationId: string, userId: string): Promise<{ workspaceId: string } | undefined> {
      const invitation = await invitations.findOne({ _id: invitationId, status: 'accepted' });
      if (!invitation) return undefined;
      const { organizationId } = invitation;
      if (!(await members.findOne({ organizationId, userId }))) return undefined;
      const organization = await organizations.findOne({ _id: organizationId });
      return organization ? { workspaceId: organization.slug } : undefined;
    },
  };
}

function toPerson(found: UserDocument | null) {
  if (!found) return undefined;
  const { _id, email, name, emailVerified, workspaceName } = found;
  const twoFactorEnabled = found.twoFactorEnabled === true;
  return { id: _id, email, name, emailVerified, twoFactorEnabled, workspaceName: workspaceName ?? undefined };
}
