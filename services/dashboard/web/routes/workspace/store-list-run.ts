import type { StoreList } from '../../../src/outbound/mongo/store-lists.ts';
import type { ListProgress, ListRunAnswer } from '../../list-runner.ts';
import { contextOf } from '../../server.ts';
import { workspaceVisit } from '../../workspace-visit.ts';
import type { Route } from './+types/store-list-run';

/** Runs the next batch of a list. The page asks for one after the other. */
export async function action({ params, context }: Route.ActionArgs) {
  const { application, toProblem } = contextOf(context);
  const visit = workspaceVisit(context);
  try {
    const step = await application.storeLists.runNext(visit, params.listId);
    const progress = progressOf(await application.storeLists.get(visit, params.listId));
    const entries = step.outcome === 'ran' ? step.entries : [];
    return Response.json({ outcome: step.outcome, progress, entries } satisfies ListRunAnswer);
  } catch (error) {
    const { message, status, retryAfterSeconds } = toProblem(error);
    const answer: ListRunAnswer = { outcome: 'failed', message, status, retryAfterSeconds };
    return Response.json(answer, { status });
  }
}

const progressOf = ({ state, total, finished, batchSize, batches, billed, counts }: StoreList): ListProgress => ({
  ...{ state, total, finished, batchSize, batches, billed, counts },
});
