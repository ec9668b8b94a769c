import { contextOf, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/store-list-run';
import { readStoreList } from './load-store-list.ts';
import type { ListRunAnswer } from './run-batches.ts';

/** Runs the next batch of a list. The page requests one batch after the other and gets the stored state. A limit has Retry-After. */
export async function action(args: Route.ActionArgs) {
  const { params, context } = args;
  const { application, toProblem } = contextOf(context);
  try {
    const outcome = await application.storeLists.runNext(workspaceVisit(context), params.listId);
    const { status } = await readStoreList(args, params.listId);
    return Response.json({ outcome, ...status } satisfies ListRunAnswer);
  } catch (error) {
    const { message, status } = toProblem(error);
    return Response.json({ outcome: 'failed', message } satisfies ListRunAnswer, { status });
  }
}
