import { randomUUID } from 'node:crypto';
import type { Customer } from './customers.ts';

export type ApiClient = ReturnType<typeof createApiClient>;

export interface WorkspaceEvent {
  id: string;
  sequence: number;
  type: string;
  related: { id: string } | null;
}

interface EventPage {
  data: WorkspaceEvent[];
  next_cursor: string;
  has_more: boolean;
}

const requestTimeoutMs = 12_000;

/** Sends single requests of a workspace to the API. The history of the load does not have them. */
export function createApiClient(url: string, customer: Customer) {
  /** Resolves to the body of a success. Resolves to undefined after any other response, and without one. */
  const send = async (method: string, path: string, body?: unknown, key: string = randomUUID()) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${customer.keys[0]?.secret}`,
        ...(method === 'POST' && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch(() => undefined);
    return response?.ok ? ((await response.json().catch(() => undefined)) as unknown) : undefined;
  };
  return {
    send,
    async sendSuccessfully(method: string, path: string, body?: unknown) {
      const answer = await send(method, path, body);
      if (answer === undefined) throw new Error(`${method} ${path} failed before the fault`);
      return answer as { id: string };
    },
    /** Reads all events of the workspace. Rejects if a page is not read. */
    async readEvents(): Promise<WorkspaceEvent[]> {
      const events: WorkspaceEvent[] = [];
      let after = '';
      for (;;) {
        const path = `/v1/events?limit=200${after && `&after=${encodeURIComponent(after)}`}`;
        const page = (await send('GET', path)) as EventPage | undefined;
        if (!page) throw new Error('the events were not read');
        events.push(...page.data);
        if (!page.has_more) return events;
        after = page.next_cursor;
      }
    },
  };
}
