import type { Collection, Db } from 'mongodb';
import { queuedStates, type ScanKey } from '../../domain/scan.ts';
import type { JobDocument } from './job-document.ts';

/** The jobs that have reached their time limit, in the collection `jobs`. Simulated scans end by themselves. */
export function createOverdueJobStore(db: Db) {
  const collection: Collection<JobDocument> = db.collection('jobs');

  return {
    /**
     * Returns scans with overdue jobs, the oldest jobs first. Such a job was claimed at `before` or earlier, and has no
     * observation that waits for its merge.
     */
    async listScans(before: Date, limit: number): Promise<ScanKey[]> {
      const hasNoObservation = {
        $or: [
          { 'scan.state': { $in: [...queuedStates, 'leased'] } },
          { 'scan.state': 'observed', $expr: { $gt: ['$minSequence', '$scan.sequence'] } },
        ],
      };
      const rows = await collection
        .aggregate<{ scanId: string; domain: string }>([
          { $match: { state: { $in: ['queued', 'running'] }, claimedAt: { $lte: before } } },
          { $sort: { claimedAt: 1 } },
          {
            $lookup: {
              from: 'scans',
              let: { scanId: '$scanId' },
              localField: 'domain',
              foreignField: 'domain',
              pipeline: [{ $match: { live: true, $expr: { $eq: ['$_id', '$$scanId'] } } }],
              as: 'scan',
            },
          },
          { $unwind: '$scan' },
          { $match: hasNoObservation },
          { $limit: limit },
          { $project: { scanId: 1, domain: 1 } },
        ])
        .toArray();
      return [...new Map(rows.map(({ scanId: id, domain }) => [id, { id, domain }])).values()];
    },
  };
}
