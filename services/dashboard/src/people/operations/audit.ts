import { newId } from '@shopscope/ids';
import type { AuditEntry } from '@shopscope/proto';
import { csvOf, cut } from '@shopscope/text';
import { type PersonName, recordedActor } from '../../app/domain/actor.ts';
import { actorOf, requireAdmin, requireRecentAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';

/** One line of the audit log, as pages show it. */
export type AuditView = ReturnType<typeof toView>;

/** A change that the keys service does not record itself. */
export interface Change {
  action:
    | 'member.invited'
    | 'member.joined'
    | 'member.role_changed'
    | 'member.removed'
    | 'member.left'
    | 'invitation.withdrawn'
    | 'watchlist.rescans_set'
    | 'watchlist.rescans_ended'
    | 'webhook.created'
    | 'webhook.changed'
    | 'webhook.secret_rotated'
    | 'webhook.deleted'
    | 'usage.exported'
    | 'audit.exported';
  subjectId: string;
  /** Set if the subject is another person. */
  subjectPerson?: PersonName;
  detail: string;
}

export interface AuditFilter {
  /** An empty string selects all actions. */
  action: string;
  /** An empty string selects all people. */
  actor: string;
}

const pageSize = 50;
/** The number of entries per call of the keys service. */
const chunkSize = 200;
/** A page with a filter reads at most this many chunks. Older entries are on the next page. */
const maxFilterChunks = 5;
/** The page states that the export has the newest 10,000 entries. */
const maxExportChunks = 50;
const maxDetail = 300;

const chunk = async (deps: Dependencies, { membership: { workspaceId }, origin }: WorkspaceVisit, beforeId: string) =>
  (await deps.keys.listAuditEntries({ workspaceId, beforeId, limit: chunkSize }, origin)).entries;

/**
 * Records a change before it is made.
 *
 * - The change cannot be recorded -> throws, and the caller must not make the change.
 * - The change fails afterwards -> the log has an entry for a change that was tried.
 */
export async function record(deps: Dependencies, visit: WorkspaceVisit, change: Change): Promise<void> {
  const { workspaceId } = visit.membership;
  const entry = { id: newId('aud', deps.clock.now()), workspaceId, ...change, detail: cut(change.detail, maxDetail) };
  await deps.keys.recordAuditEntry({ ...entry, ...actorOf(visit) }, visit.origin);
}

/**
 * A page of entries, newest first. `olderThan` is the cursor of the next page; undefined if there are no older entries. With a filter, a
 * page may have fewer entries even if there are older ones.
 */
export async function list(deps: Dependencies, visit: WorkspaceVisit, filter: AuditFilter & { beforeId: string }) {
  requireAdmin(visit.membership);
  const [members, found] = await Promise.all([
    deps.team.names(visit.membership.organizationId),
    filteredPage(filter, (beforeId) => chunk(deps, visit, beforeId)),
  ]);
  return {
    entries: found.entries.map(toView),
    olderThan: found.olderThan,
    people: [...members].map(([id, person]) => ({ id, ...person })),
  };
}

export async function exportLog(deps: Dependencies, visit: WorkspaceVisit): Promise<string> {
  requireRecentAdmin(deps, visit);
  await record(deps, visit, { action: 'audit.exported', subjectId: visit.membership.workspaceId, detail: '' });
  const rows: string[][] = [];
  let beforeId = '';
  for (let chunks = 0; chunks < maxExportChunks; chunks++) {
    const entries = await chunk(deps, visit, beforeId);
    rows.push(...entries.map(toRow));
    beforeId = entries.at(-1)?.id ?? '';
    if (entries.length < chunkSize) break;
  }
  return csvOf([columns, ...rows]);
}

async function filteredPage(
  { action, actor, beforeId }: AuditFilter & { beforeId: string },
  chunk: (beforeId: string) => Promise<AuditEntry[]>,
): Promise<{ entries: AuditEntry[]; olderThan: string | undefined }> {
  const isWanted = (entry: AuditEntry) =>
    (action === '' || entry.action === action) && (actor === '' || entry.actor === actor);
  const entries: AuditEntry[] = [];
  let cursor = /^aud_[0-9a-z]{1,60}$/.test(beforeId) ? beforeId : '';
  for (let chunks = 0; chunks < maxFilterChunks; chunks++) {
    const read = await chunk(cursor);
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

const toView = (entry: AuditEntry) => ({
  id: entry.id,
  atMs: entry.atMs,
  who: recordedActor(entry.actor, { name: entry.actorName, email: entry.actorEmail }),
  action: entry.action,
  subjectId: entry.subjectId,
  /** The name and address that a person had at that time. Empty if the subject is not a person, or if they were not recorded. */
  subject: { name: entry.subjectName, email: entry.subjectEmail },
  detail: entry.detail,
  /** Empty if it was not recorded. */
  address: entry.actorAddress,
});

const columns = [
  ...['time', 'actor', 'actor_email', 'actor_name', 'network_address', 'action'],
  ...['subject', 'subject_email', 'subject_name', 'detail', 'entry'],
];

function toRow(entry: AuditEntry): string[] {
  const who = recordedActor(entry.actor, { name: entry.actorName, email: entry.actorEmail });
  return [
    new Date(entry.atMs).toISOString(),
    ...(who.kind === 'operator' ? ['operator', '', ''] : [who.id, who.email, who.name]),
    entry.actorAddress === '' ? 'not recorded' : entry.actorAddress,
    entry.action,
    ...[entry.subjectId, entry.subjectEmail, entry.subjectName],
    entry.detail,
    entry.id,
  ];
}
