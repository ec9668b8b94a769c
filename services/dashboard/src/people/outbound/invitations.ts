import type { Transact, Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import { personId } from '../../app/domain/actor.ts';
import { maxMembers, roleOf } from '../../app/domain/role.ts';
import type { InvitationDocument } from '../../app/outbound/auth-documents.ts';
import type { OrganizationStore } from './organizations.ts';

export type OpenInvitation = NonNullable<Awaited<ReturnType<InvitationStore['findOpen']>>>;

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore(options: {
  db: Db;
  transact: Transact;
  organizations: OrganizationStore;
  newId: () => string;
}) {
  const { db, transact, organizations, newId } = options;
  const invitations = db.collection<InvitationDocument>('invitation');
  const members = db.collection<{ organizationId: string; userId: string }>('member');
  const users = db.collection<{ _id: string; email: string }>('user');

  /** Finds invitations that can be accepted: pending, of an open workspace, and sent by an operator or by a person who is its admin now. */
  const open = (filter: { _id: string } | { email: string }, now: Date, tx?: Tx) =>
    invitations.aggregate<InvitationDocument & { organization: { name: string; slug: string } }>(
      [
        { $match: { ...filter, status: 'pending', expiresAt: { $gt: now } } },
        {
          $lookup: {
            from: 'member',
            let: { organizationId: '$organizationId', inviterId: '$inviterId' },
            pipeline: [
              {
                $match: {
                  $expr: {
                    $and: [{ $eq: ['$organizationId', '$$organizationId'] }, { $eq: ['$userId', '$$inviterId'] }],
                  },
                },
              },
              { $match: { role: 'admin' } },
            ],
            as: 'admin',
          },
        },
        { $match: { $or: [{ admin: { $ne: [] } }, { inviterId: { $not: personId } }] } },
        { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
        { $unwind: '$organization' },
        { $match: { 'organization.deletingAt': { $exists: false } } },
        { $limit: 1 },
      ],
      { ...tx },
    );

  return {
    /** An invitation that can be accepted. */
    async findOpen(id: string, now: Date) {
      const [found] = await open({ _id: id }, now).toArray();
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

    /** Whether an address has an invitation that can be accepted. */
    isInvited: async (email: string, now: Date): Promise<boolean> => (await open({ email }, now).next()) !== null,

    /**
     * Stores an invitation and withdraws pending ones of the address. A concurrent change of the members conflicts, so that the inviter is
     * an admin when it is stored. `member`: the address belongs to a member. `closed`: the workspace is being deleted.
     */
    insert(
      given: { organizationId: string; email: string; role: string; inviterId: string; expiresAt: Date },
      now: Date,
      inTransaction: (tx: Tx) => Promise<void>,
    ): Promise<{ id: string } | 'member' | 'closed'> {
      const _id = newId();
      const { organizationId, email } = given;
      return transact(async (tx) => {
        if (!(await organizations.lockMembers(organizationId, tx))) return 'closed';
        const user = await users.findOne({ email }, tx);
        if (user && (await members.findOne({ organizationId, userId: user._id }, tx))) return 'member';
        await invitations.updateMany(
          { organizationId, email, status: 'pending' },
          { $set: { status: 'canceled' } },
          tx,
        );
        await invitations.insertOne({ _id, ...given, status: 'pending', createdAt: now, teamId: null }, tx);
        await inTransaction(tx);
        return { id: _id };
      });
    },

    /**
     * Accepts an invitation, in one transaction with the new member.
     *
     * - The same person accepts it twice -> the second call changes nothing and resolves to the same result.
     * - The invitation expired, was withdrawn or has another address, or the inviter is no longer an admin -> undefined. A concurrent
     *   change of the members conflicts, so one of the two happens first.
     */
    accept(
      id: string,
      person: { userId: string; email: string },
      now: Date,
      inTransaction: (invitation: { organizationId: string; role: string }, tx: Tx) => Promise<void>,
    ): Promise<'joined' | 'full' | undefined> {
      const work = (tx: Tx) => joining(id, person, now, inTransaction, tx);
      // A duplicate-key error means a concurrent acceptance. The retried transaction finds its member.
      return transact(work, { retryDuplicateKeys: true });
    },

    /** Declines an invitation. Resolves to false if this address cannot decline it. */
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
    if (!(await organizations.lockMembers(organizationId, tx))) return undefined;
    if ((await open({ _id: id }, now, tx).next()) === null) return undefined;
    if (!isMember && (await members.countDocuments({ organizationId }, tx)) >= maxMembers) return 'full';
    await invitations.updateOne({ _id: id }, { $set: { status: 'accepted' } }, tx);
    if (isMember) return 'joined';
    await organizations.addMember({ organizationId, userId, role }, now, tx);
    await inTransaction({ organizationId, role }, tx);
    return 'joined';
  }
}
