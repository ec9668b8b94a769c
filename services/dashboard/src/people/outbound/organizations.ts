import { environments } from '@shopscope/environment';
import { isDuplicateKey, type Transact, type Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';
import { type Role, roleOf } from '../../app/domain/role.ts';
import { segmentOf } from '../../app/domain/workspace-segment.ts';
import type { InvitationDocument, MemberDocument, OrganizationDocument } from '../../app/outbound/auth-documents.ts';

export interface NewMember {
  organizationId: string;
  userId: string;
  role: string;
}

export type MemberChange =
  | {
      outcome: 'done';
      /** Addresses of the pending invitations that were withdrawn, because their sender is no longer an admin. */
      withdrawn: string[];
    }
  | { outcome: 'last_admin' | 'no_member' };

export type Done = Extract<MemberChange, { outcome: 'done' }>;

/** Runs in the transaction of the change, after the change was made. */
type InTransaction = (tx: Tx, done: Done) => Promise<void>;

export type OrganizationStore = ReturnType<typeof createOrganizationStore>;

/** Writes organizations and their members. Documents that must be consistent change in one transaction. */
export function createOrganizationStore(db: Db, transact: Transact, newId: () => string) {
  const organizations = db.collection<OrganizationDocument>('organization');
  const members = db.collection<MemberDocument>('member');
  const invitations = db.collection<InvitationDocument>('invitation');
  const dashboardKeys = db.collection<{ _id: string }>('dashboard_keys');
  const ofWebhooks = ['webhook_alerts', 'webhook_mails'].map((name) => db.collection<{ workspaceId: string }>(name));

  /**
   * Makes concurrent changes of one organization's members conflict. Resolves to false if the organization is being
   * deleted or does not exist.
   */
  const lockMembers = async (organizationId: string, tx: Tx): Promise<boolean> => {
    const open = { _id: organizationId, deletingAt: { $exists: false } };
    const { matchedCount } = await organizations.updateOne(open, { $inc: { memberChanges: 1 } }, tx);
    return matchedCount === 1;
  };
  const hasNoOtherAdmin = async (organizationId: string, userId: string, tx: Tx): Promise<boolean> =>
    (await members.countDocuments({ organizationId, role: 'admin', userId: { $ne: userId } }, { ...tx, limit: 1 })) ===
    0;

  /** The right to invite ends with the role, so that invitations of a removed person admit nobody afterwards. */
  const withdrawInvitationsOf = async (organizationId: string, userId: string, tx: Tx): Promise<string[]> => {
    const found = await invitations.find({ organizationId, status: 'pending', inviterId: userId }, tx).toArray();
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) await invitations.updateMany({ _id: { $in: ids } }, { $set: { status: 'canceled' } }, tx);
    return found.map(({ email }) => email);
  };

  /**
   * Changes one member, unless the workspace would lose its last admin. If the person does not stay an admin, their pending invitations are
   * withdrawn.
   */
  const change = async (
    organizationId: string,
    userId: string,
    options: { keepsAdmin: boolean; write(member: MemberDocument): Promise<unknown> },
    tx: Tx,
  ): Promise<MemberChange> => {
    if (!(await lockMembers(organizationId, tx))) return { outcome: 'no_member' };
    const member = await members.findOne({ organizationId, userId }, tx);
    if (!member) return { outcome: 'no_member' };
    const losesAdmin = member.role === 'admin' && !options.keepsAdmin;
    if (losesAdmin && (await hasNoOtherAdmin(organizationId, userId, tx))) return { outcome: 'last_admin' };
    await options.write(member);
    const withdrawn = options.keepsAdmin ? [] : await withdrawInvitationsOf(organizationId, userId, tx);
    return { outcome: 'done', withdrawn };
  };

  const removeMemberWithin = (tx: Tx, organizationId: string, userId: string): Promise<MemberChange> => {
    const write = (member: MemberDocument) => members.deleteOne({ _id: member._id }, tx);
    return change(organizationId, userId, { keepsAdmin: false, write }, tx);
  };

  const changeAndThen = (inTransaction: InTransaction | undefined, make: (tx: Tx) => Promise<MemberChange>) =>
    transact(async (tx) => {
      const changed = await make(tx);
      if (changed.outcome === 'done') await inTransaction?.(tx, changed);
      return changed;
    });

  return {
    lockMembers,

    /** Removes a member within the caller's transaction. */
    removeMemberWithin,

    /** The workspaces of a person, and the effect on each if the person left. */
    async standingsOf(userId: string) {
      const rows = members.aggregate<{ role: string; others: MemberDocument[]; organization: OrganizationDocument }>([
        { $match: { userId } },
        { $lookup: { from: 'organization', localField: 'organizationId', foreignField: '_id', as: 'organization' } },
        { $unwind: '$organization' },
        {
          $lookup: {
            from: 'member',
            localField: 'organizationId',
            foreignField: 'organizationId',
            pipeline: [{ $match: { userId: { $ne: userId } } }],
            as: 'others',
          },
        },
      ]);
      return (await rows.toArray()).map(({ role, others, organization }) => ({
        organizationId: organization._id,
        workspaceId: organization.slug,
        name: organization.name,
        role: roleOf(role),
        standing: standingOf(role, others),
      }));
    },

    /**
     * The organization of a workspace. Creates it if it is missing; concurrent calls create one. Within a transaction, a duplicate-key
     * error means that a concurrent call created it.
     */
    async ensure(workspaceId: string, name: string, now: Date, tx?: Tx): Promise<string> {
      const found = await organizations.findOne({ slug: workspaceId }, tx);
      if (found) return found._id;
      try {
        const _id = newId();
        await organizations.insertOne({ _id, name, slug: workspaceId, createdAt: now }, tx);
        return _id;
      } catch (error) {
        if (tx || !isDuplicateKey(error)) throw error;
        return (await organizations.findOne({ slug: workspaceId }))?._id as string;
      }
    },

    /** A duplicate-key error means that the person is a member already. */
    async addMember(member: NewMember, now: Date, tx?: Tx): Promise<void> {
      await members.insertOne({ _id: newId(), ...member, createdAt: now }, tx);
    },

    /** Nothing changes if the person is a member already. */
    async ensureMember({ organizationId, userId, role }: NewMember, now: Date, tx: Tx): Promise<void> {
      await members.updateOne(
        { organizationId, userId },
        { $setOnInsert: { _id: newId(), role, createdAt: now } },
        { ...tx, upsert: true },
      );
    },

    /** Changes a role. `last_admin`: nothing was changed, because the workspace would have no admin. */
    setRole(organizationId: string, userId: string, role: Role, inTransaction?: InTransaction): Promise<MemberChange> {
      return changeAndThen(inTransaction, (tx) => {
        const write = (member: MemberDocument) => members.updateOne({ _id: member._id }, { $set: { role } }, tx);
        return change(organizationId, userId, { keepsAdmin: role === 'admin', write }, tx);
      });
    },

    /** Removes a member. `last_admin`: nothing was changed, because the other members would have no admin. */
    removeMember: (organizationId: string, userId: string, inTransaction?: InTransaction): Promise<MemberChange> =>
      changeAndThen(inTransaction, (tx) => removeMemberWithin(tx, organizationId, userId)),

    async rename(organizationId: string, name: string): Promise<void> {
      await organizations.updateOne({ _id: organizationId }, { $set: { name } });
    },

    /**
     * First step of a deletion by the only admin: from now on nobody can join. Resolves to false if the workspace has
     * another member, or if the person is no longer an admin.
     */
    beginDeletion(organizationId: string, now: Date, onlyAdmin: string): Promise<boolean> {
      return transact(async (tx) => {
        const all = await members.find({ organizationId }, tx).limit(2).toArray();
        if (all.length !== 1 || all[0]?.userId !== onlyAdmin || all[0].role !== 'admin') return false;
        await organizations.updateOne(
          { _id: organizationId },
          { $set: { deletingAt: now }, $inc: { memberChanges: 1 } },
          tx,
        );
        return true;
      });
    },

    /** Undoes the first step of a deletion, because the keys service refused the deletion. */
    async cancelDeletion(organizationId: string): Promise<void> {
      await organizations.updateOne({ _id: organizationId }, { $unset: { deletingAt: '' } });
    },

    /** Last step of a deletion, after the keys service has deleted the workspace. */
    async finishDeletion(organizationId: string, tx?: Tx): Promise<void> {
      const all = async (within: Tx) => {
        await members.deleteMany({ organizationId }, within);
        await invitations.deleteMany({ organizationId }, within);
        const deleted = await organizations.findOneAndDelete({ _id: organizationId }, within);
        // The Dashboard keys of the workspace are revoked by now. Look-ups and imports expire.
        if (!deleted) return;
        const keepers = environments.map((environment) => segmentOf({ workspaceId: deleted.slug, environment }));
        await dashboardKeys.deleteMany({ _id: { $in: keepers } }, within);
        for (const collection of ofWebhooks) await collection.deleteMany({ workspaceId: deleted.slug }, within);
      };
      await (tx ? all(tx) : transact(all));
    },
  };
}

/** `only_admin`: the workspace has no other member. `last_admin`: it has other members, but none of them is an admin. */
function standingOf(role: string, others: readonly { role: string }[]): 'only_admin' | 'last_admin' | 'other' {
  if (role !== 'admin' || others.some((other) => other.role === 'admin')) return 'other';
  return others.length === 0 ? 'only_admin' : 'last_admin';
}
