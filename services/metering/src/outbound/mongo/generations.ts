import type { CollectionDefinition, Tx } from '@shopscope/mongo';
import type { Db } from 'mongodb';

interface GenerationDocument {
  /** The workspace. */
  _id: string;
  /** The number of its resets that had something to remove. */
  current: number;
  /** Present if the workspace is deleted. */
  forgetAt?: Date;
}

interface EndedGenerationDocument {
  /** The owner of the generation. */
  _id: string;
  endedAt: Date;
}

export const generationCollection = {
  indexes: [{ key: { forgetAt: 1 }, options: { expireAfterSeconds: 0 } }],
  unsharded: 'one small document per workspace that was reset',
} as const satisfies CollectionDefinition;

export const endedGenerationCollection = {
  indexes: [{ key: { endedAt: 1 }, options: {} }],
  unsharded: 'one small document per reset, until its data is deleted some minutes later',
} as const satisfies CollectionDefinition;

export type GenerationStore = ReturnType<typeof createGenerationStore>;

/** The generations of the workspaces of the test tenant. */
export function createGenerationStore(db: Db) {
  const generations = db.collection<GenerationDocument>('test_generations');
  const ended = db.collection<EndedGenerationDocument>('test_ended_generations');

  return {
    /** Resolves to the current generations of workspaces. A workspace that was never reset is absent. */
    async current(workspaceIds: readonly string[], options: Tx | { maxTimeMS: number }): Promise<Map<string, number>> {
      const found = await generations.find({ _id: { $in: [...workspaceIds] } }, { ...options }).toArray();
      return new Map(found.map(({ _id, current }) => [_id, current]));
    },

    /** Resolves to the current generation of a workspace. */
    async number(workspaceId: string, tx: Tx): Promise<number> {
      return (await generations.findOne({ _id: workspaceId }, { ...tx }))?.current ?? 0;
    },

    /** Begins the next generation of a workspace. Resolves to the number of the one that has ended. */
    async begin(workspaceId: string, tx: Tx): Promise<number> {
      const before = await generations.findOneAndUpdate(
        { _id: workspaceId },
        { $inc: { current: 1 } },
        { ...tx, upsert: true, returnDocument: 'before' },
      );
      return before?.current ?? 0;
    },

    /** The document of a deleted workspace is deleted at `forgetAt`. */
    async forget(workspaceId: string, forgetAt: Date, tx: Tx): Promise<void> {
      await generations.updateOne({ _id: workspaceId }, { $set: { forgetAt } }, tx);
    },

    async addEnded(owner: string, nowMs: number, tx: Tx): Promise<void> {
      await ended.updateOne({ _id: owner }, { $set: { endedAt: new Date(nowMs) } }, { ...tx, upsert: true });
    },

    /** Resolves to those of the owners whose generation has ended, and whose data is not all deleted. */
    async endedAmong(owners: readonly string[], tx: Tx): Promise<Set<string>> {
      const found = await ended.find({ _id: { $in: [...owners] } }, { ...tx }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Resolves to the owners of the generations that ended by `endedByMs`, the oldest first. */
    async endedBy(endedByMs: number, limit: number, maxTimeMS: number): Promise<string[]> {
      const found = await ended
        .find({ endedAt: { $lte: new Date(endedByMs) } }, { maxTimeMS })
        .sort({ endedAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    async forgetEnded(owner: string, maxTimeMS: number): Promise<void> {
      await ended.deleteOne({ _id: owner }, { maxTimeMS });
    },
  };
}
