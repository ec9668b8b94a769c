import type { Transact, Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import { type Role, roleOf } from '../../domain/role.ts';
import type { InvitationDocument } from './auth-documents.ts';
import type { OrganizationStore } from './organizations.ts';

export interface OpenInvitation {
  id: string;
  email: string;
  role: Role;
  organizationId: string;
  workspaceId: string;
  workspaceName: string;
  expiresAt: Date;
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore(options: {
  db: Db;
  transact: Transact;
  organizations: OrganizationStore;
  newId: () => string;
  membersMax: number;
}) {
  const { db, transact, organizations, newId, membersMax } = options;
  const invitations = db.collection<InvitationDocument>('invitation');
  const members = db.collection<{ organizationId: string; userId: string }>('member');
  const users = db.collection<{ _id: string; email: string }>('user');

  return {
    /** An invitation that can still be accepted. */
    async findOpen(id: string, now: Date): Promise<OpenInvitation | undefined> {
      const [found] = await invitations
        .aggregate<InvitationDocument & { organization: { name: string; slug: string } }>([
          { $match: { _id: id, status: 'pending', expiresAt: { $gt: now } } },
          { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
          { $unwind: '$organization' },
          { $match: { 'organization.deletingAt': { $exists: false } } },
        ])
        .toArray();
      return (
        found && {
          id,
          email: found.email,
          role: roleOf(found.role),
          organizationId: found.organizationId,
          workspaceId: found.organization.slug,
          workspaceName: found.organization.name,
          expiresAt: found.expiresAt,
        }
      );
    },

    /** Undefined: the address belongs to a member. Pending invitations of the address are withdrawn. */
    insert(
      given: { organizationId: string; email: string; role: string; inviterId: string; expiresAt: Date },
      now: Date,
      inTransaction: (tx: Tx) => Promise<void>,
    ): Promise<string | undefined> {
      const _id = newId();
      const { organizationId, email } = given;
      return transact(async (tx) => {
        const user = await users.findOne({ email }, tx);
        if (user && (await members.findOne({ organizationId, userId: user._id }, tx))) return undefined;
        await invitations.updateMany(
          { organizationId, email, status: 'pending' },
          { $set: { status: 'canceled' } },
          tx,
        );
        await invitations.insertOne({ _id, ...given, status: 'pending', createdAt: now, teamId: null }, tx);
        await inTransaction(tx);
        return _id;
      });
    },

    /**
     * Accepts an invitation, in one transaction with the new member.
     *
     * - Accepted twice by the same person -> the second call changes nothing and resolves to the same.
     * - Expired, withdrawn or another address -> undefined.
     */
    accept(
      id: string,
      person: { userId: string; email: string },
      now: Date,
      inTransaction: (invitation: { organizationId: string; role: string }, tx: Tx) => Promise<void>,
    ): Promise<'joined' | 'full' | undefined> {
      const work = (tx: Tx) => joining(id, person, now, inTransaction, tx);
      // A duplicate key is a concurrent acceptance; the next run sees its member.
      return transact(work, { retryDuplicateKeys: true });
    },

    /** False: the invitation cannot be declined by this address. */
    async decline(id: string, email: string, now: Date): Promise<boolean> {
      const open = { _id: id, email, status: 'pending' as const, expiresAt: { $gt: now } };
      const { matchedCount } = await invitations.updateOne(open, { $set: { status: 'rejected' } });
      return matchedCount === 1;
    },
  };

  async function joining(
    id: string,
    { userId, email }: { userId: string; email: string },
    now: Date,
    inTransaction: (invitation: { organizationId: string; role: string }, tx: Tx) => Promise<void>,
    tx: Tx,
  ): Promise<'joined' | 'full' | undefined> {
    const found = await invitations.findOne({ _id: id, email }, tx);
    if (!found) return undefined;
    const { organizationId, role, status } = found;
    const isMember = (await members.findOne({ organizationId, userId }, tx)) !== null;
    if (status === 'accepted' && isMember) return 'joined';
    if (status !== 'pending' || found.expiresAt <= now) return undefined;
    if (!(await organizations.lockMembers(organizationId, tx))) return undefined;
    if (!isMember && (await members.countDocuments({ organizationId }, tx)) >= membersMax) return 'full';
    await invitations.updateOne({ _id: id }, { $set: { status: 'accepted' } }, tx);
    if (isMember) return 'joined';
    await organizations.addMember({ organizationId, userId, role }, now, tx);
    await inTransaction({ organizationId, role }, tx);
    return 'joined';
  }
}
