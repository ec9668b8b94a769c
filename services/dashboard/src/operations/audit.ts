import type { Clock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import type { AuditEntry } from '@shopscope/proto';
import { csvOf } from '../domain/csv.ts';
import { type Who, whoIs } from '../domain/who.ts';
import type { KeysClient } from '../outbound/grpc/keys.ts';
import type { TeamStore } from '../outbound/mongo/team.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import { actorOf, type WorkspaceVisit } from './workspace-visit.ts';
import { requireAdmin } from './workspaces.ts';

/** One line of the audit log, as pages show it. */
export interface AuditView {
  id: string;
  atMs: number;
  who: Who;
  action: string;
  subjectId: string;
  /** Name of the subject when it is another person than the actor and has an account. */
  subjectName: string | undefined;
  detail: string;
  /** Empty when it was not recorded. */
  address: string;
}

/** A change that the keys service does not make itself. */
export interface Change {
  action:
    | 'member.invited'
    | 'member.joined'
    | 'member.role_changed'
    | 'member.removed'
    | 'member.left'
    | 'invitation.withdrawn'
    | 'usage.exported'
    | 'audit.exported';
  subjectId: string;
  detail: string;
}

export interface AuditFilter {
  /** Empty: all actions. */
  action: string;
  /** Empty: all people. */
  actor: string;
}

const pageSize = 50;
/** Entries of one call to the keys service. */
const chunkSize = 200;
/** A page with a filter reads at most this many chunks. Older entries are on the next page. */
const filterChunksMax = 5;
/** The page says that the export has the newest 10,000 entries. */
const exportChunksMax = 50;
const detailMax = 300;

export type Audit = ReturnType<typeof createAudit>;

/** The audit log of a workspace, for admins. */
export function createAudit({ keys, team, clock }: { keys: KeysClient; team: TeamStore; clock: Clock }) {
  const chunk = (visit: WorkspaceVisit, beforeId: string) =>
    keys.listAuditEntries(visit.membership.workspaceId, beforeId, chunkSize, visit.origin);

  /**
   * Records a change before it is made.
   *
   * - It cannot be recorded -> throws, and the caller does not make the change.
   * - The change fails afterwards -> the log has an entry for a change that was tried.
   */
  const record = (visit: WorkspaceVisit, change: Change): Promise<void> =>
    keys.recordAuditEntry(
      {
        id: newId('aud', clock.now()),
        workspaceId: visit.membership.workspaceId,
        ...change,
        detail: change.detail.slice(0, detailMax),
        ...actorOf(visit),
      },
      visit.origin,
    );

  /** Entries have the ids of people only, so that the log keeps no name or address of a deleted account. */
  const namesIn = (entries: readonly AuditEntry[]) => {
    const ids = entries.flatMap(({ actor, subjectId }) => [actor, subjectId]);
    return team.namesOf([...new Set(ids.filter((id) => id.startsWith('usr_')))]);
  };

  return {
    record,

    /**
     * A page of entries, the newest first. `olderThan` is the cursor of the next page; undefined when there are no older
     * entries. With a filter, a page may have fewer entries although there are older ones.
     */
    async list(
      visit: WorkspaceVisit,
      filter: AuditFilter & { beforeId: string },
    ): Promise<{ entries: AuditView[]; olderThan: string | undefined; people: { id: string; name: string }[] }> {
      requireAdmin(visit.membership);
      const [members, found] = await Promise.all([
        team.names(visit.membership.organizationId),
        filteredPage(visit, filter, chunk),
      ]);
      const names = await namesIn(found.entries);
      return {
        entries: found.entries.map((entry) => toView(entry, names)),
        olderThan: found.olderThan,
        people: [...members].map(([id, name]) => ({ id, name })),
      };
    },

    /** The newest 10,000 entries as CSV. */
    async export(visit: WorkspaceVisit): Promise<string> {
      requireAdmin(visit.membership);
      requireRecentSignIn(visit.person, clock.now());
      await record(visit, { action: 'audit.exported', subjectId: visit.membership.workspaceId, detail: '' });
      const rows: string[][] = [];
      let beforeId = '';
      for (let chunks = 0; chunks < exportChunksMax; chunks++) {
        const entries = await chunk(visit, beforeId);
        const names = await namesIn(entries);
        rows.push(...entries.map((entry) => toRow(entry, names)));
        beforeId = entries.at(-1)?.id ?? '';
        if (entries.length < chunkSize) break;
      }
      return csvOf([
        ['time', 'actor', 'actor_name', 'address', 'action', 'subject', 'subject_name', 'detail', 'entry'],
        ...rows,
      ]);
    },
  };
}

async function filteredPage(
  visit: WorkspaceVisit,
  { action, actor, beforeId }: AuditFilter & { beforeId: string },
  chunk: (visit: WorkspaceVisit, beforeId: string) => Promise<AuditEntry[]>,
): Promise<{ entries: AuditEntry[]; olderThan: string | undefined }> {
  const isWanted = (entry: AuditEntry) =>
    (action === '' || entry.action === action) && (actor === '' || entry.actor === actor);
  const entries: AuditEntry[] = [];
  let cursor = /^aud_[0-9a-z]{1,60}$/.test(beforeId) ? beforeId : '';
  for (let chunks = 0; chunks < filterChunksMax; chunks++) {
    const read = await chunk(visit, cursor);
    entries.push(...read.filter(isWanted));
    if (entries.length > pageSize) {
      const page = entries.slice(0, pageSize);
      return { entries: page, olderThan: page.at(-1)?.id };
    }
    if (read.length < chunkSize) return { entries, olderThan: undefined };
    cursor = read.at(-1)?.id ?? '';
  }
  return { entries, olderThan: cursor };
}

const toView = (entry: AuditEntry, names: ReadonlyMap<string, string>): AuditView => ({
  id: entry.id,
  atMs: entry.atMs,
  who: whoIs(entry.actor, names),
  action: entry.action,
  subjectId: entry.subjectId,
  subjectName: entry.subjectId === entry.actor ? undefined : names.get(entry.subjectId),
  detail: entry.detail,
  address: entry.actorAddress,
});

function toRow(entry: AuditEntry, names: ReadonlyMap<string, string>): string[] {
  const who = whoIs(entry.actor, names);
  return [
    new Date(entry.atMs).toISOString(),
    who.kind === 'operator' ? 'operator' : who.id,
    who.kind === 'member' ? who.name : '',
    entry.actorAddress === '' ? 'not recorded' : entry.actorAddress,
    entry.action,
    entry.subjectId,
    names.get(entry.subjectId) ?? '',
    entry.detail,
    entry.id,
  ];
}
