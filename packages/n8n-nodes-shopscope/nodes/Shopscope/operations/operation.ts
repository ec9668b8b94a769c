import type { IDataObject } from 'n8n-workflow';
import type { Api } from '../../shared/api.ts';
import { ApiFailure } from '../../shared/api-failure.ts';

/** What an operation uses of n8n. */
export interface OperationContext {
  api: Api;
  /** The number of input items. */
  itemCount: number;
  parameter(name: string, item: number): unknown;
  /** The Idempotency-Key of a request of this run. */
  keyOf(step: string, body: unknown): string;
  sleep(pauseMs: number): Promise<void>;
  /** True: a failure becomes an output item. False: it ends the node. */
  continuesOnFailure: boolean;
  /** The error of n8n for a failure of this item. */
  errorOf(failure: unknown, item: number): Error;
}

/** One output item, and the input item that it comes from. */
export interface Row {
  json: IDataObject;
  item: number;
}

export type Operation = (context: OperationContext) => Promise<Row[]>;

/** Runs a request of these input items. If it fails and the node continues, each of the items gets the error as its row. */
export async function rowsOrErrors(
  { continuesOnFailure, errorOf }: OperationContext,
  items: readonly number[],
  request: () => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await request();
  } catch (failure) {
    if (!continuesOnFailure) throw errorOf(failure, items[0] ?? 0);
    const error = describeFailure(failure);
    return items.map((item) => ({ json: { error: { ...error } }, item }));
  }
}

function describeFailure(failure: unknown): IDataObject {
  const message = (failure as Error).message;
  if (!(failure instanceof ApiFailure)) return { message };
  const { code, status, requestId } = failure;
  return { message, code, status, request_id: requestId };
}

/** An operation that sends requests for each input item alone. */
export function eachItem(run: (context: OperationContext, item: number) => Promise<IDataObject[]>): Operation {
  return async (context) => {
    const rows: Row[] = [];
    for (let item = 0; item < context.itemCount; item++) {
      const ofItem = await rowsOrErrors(context, [item], async () =>
        (await run(context, item)).map((json) => ({ json, item })),
      );
      rows.push(...ofItem);
    }
    return rows;
  };
}
