import type { PointsInTime } from '../../src/outbound/opensearch/points-in-time.ts';
import type { ReadDocument, StateDocuments } from '../../src/outbound/opensearch/state-documents.ts';
import type { DocumentWrite, StoreIndexes } from '../../src/outbound/opensearch/store-indexes.ts';

/** An engine in memory. It has the rules that the operations rely on: versions, compare-and-set, refreshes and frozen views. */
export interface MemoryEngine {
  states: StateDocuments & { prepare(): Promise<void> };
  indexes: StoreIndexes;
  pointsInTime: Pick<PointsInTime, 'open' | 'keep' | 'close'>;
  /** The versions that searches of an index would see after a refresh, by domain. */
  versionsOf(index: string): Map<string, number>;
  names(): string[];
  openViews(): string[];
  /** Ends all views, as a restart of their node does. */
  loseViews(): void;
  /** While it is true, a node that holds parts of all views, and no other data, does not respond. */
  setUnreachable(isUnreachable: boolean): void;
  /** The most views that the engine keeps. */
  setMaxViews(max: number): void;
  /** From now on, indexes do not accept the documents of these ids. */
  refuse(...ids: string[]): void;
}

interface MemoryIndex {
  documents: Map<string, number>;
  /** The versions of deleted documents. */
  deleted: Map<string, number>;
  visible: Map<string, number>;
  createdAtMs: number;
}

/** `pause` runs before each step of the engine, so that a test can interleave callers or fail them. */
export function createMemoryEngine({ pause, now }: { pause(): Promise<void>; now(): number }): MemoryEngine {
  let isRefused = (_id: string): boolean => false;
  const states = new Map<string, { text: string; seqNo: number }>();
  const indexes = new Map<string, MemoryIndex>();
  const views = new Map<string, Map<string, number>>();
  let sequence = 0;
  let isUnreachable = false;
  let maxViews = Number.POSITIVE_INFINITY;
  const indexOf = (name: string): MemoryIndex => {
    const found = indexes.get(name);
    if (!found) throw new Error(`there is no index ${name}`);
    return found;
  };

  return {
    states: {
      prepare: async () => {},
      async read<Value>(id: string): Promise<ReadDocument<Value> | undefined> {
        await pause();
        const found = states.get(id);
        return found && { value: JSON.parse(found.text) as Value, seqNo: found.seqNo, primaryTerm: 1 };
      },
      async write(id, value, before) {
        await pause();
        if (states.get(id)?.seqNo !== before?.seqNo) return false;
        states.set(id, { text: JSON.stringify(value), seqNo: ++sequence });
        return true;
      },
    },
    indexes: {
      nameOf: (id) => `stores-${id}`,
      async create(name) {
        await pause();
        indexes.set(name, { documents: new Map(), deleted: new Map(), visible: new Map(), createdAtMs: now() });
      },
      async delete(name) {
        await pause();
        indexes.delete(name);
      },
      list: async () => [...indexes].map(([name, { createdAtMs }]) => ({ name, createdAtMs })),
      async write(name, documents: readonly DocumentWrite[]) {
        await pause();
        const { documents: kept, deleted } = indexOf(name);
        let stale = 0;
        const refused = documents.filter(({ id }) => isRefused(id)).map(({ id }) => ({ id, reason: 'too large' }));
        for (const { id, version, document } of documents) {
          if (isRefused(id)) continue;
          if (version < Math.max(kept.get(id) ?? 0, deleted.get(id) ?? 0)) {
            stale++;
            continue;
          }
          kept.delete(id);
          deleted.delete(id);
          (document ? kept : deleted).set(id, version);
        }
        return { written: documents.length - stale - refused.length, stale, refused };
      },
      async refresh(name) {
        await pause();
        const index = indexOf(name);
        index.visible = new Map(index.documents);
      },
      async count(name) {
        await pause();
        return indexOf(name).documents.size;
      },
    },
    pointsInTime: {
      async open(name) {
        await pause();
        if (views.size >= maxViews) return undefined;
        const id = `view-${++sequence}`;
        views.set(id, new Map(indexOf(name).visible));
        return id;
      },
      async keep(id) {
        await pause();
        if (isUnreachable) return 'unreachable';
        const view = views.get(id);
        return view ? { stores: view.size } : 'gone';
      },
      async close(ids) {
        await pause();
        for (const id of ids) views.delete(id);
      },
    },
    versionsOf: (name) => new Map(indexOf(name).documents),
    names: () => [...indexes.keys()],
    openViews: () => [...views.keys()],
    loseViews: () => views.clear(),
    setUnreachable: (now) => {
      isUnreachable = now;
    },
    setMaxViews: (max) => {
      maxViews = max;
    },
    refuse: (...ids) => {
      isRefused = (id) => ids.includes(id);
    },
  };
}
