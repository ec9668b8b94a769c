import { randomUUID } from 'node:crypto';
import { createStoresCustomer } from '../clients/customers.ts';
import { counterSum, metricsOf } from '../system/service-metrics.ts';
import { poll, sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';

interface Edition {
  edition: { id: string };
}
interface SearchPage extends Edition {
  billed: { lookup_cached?: number };
  data: { domain: string; store: { domain: string } }[];
  next_cursor: string | null;
}
interface CountedStores extends Edition {
  total: { value: number; relation: string };
}

const rowsOfPage = 10;
const maxPages = 50;
const pauseMs = 200;
const requestTimeoutMs = 12_000;
/** A restarted OpenSearch loses its editions, and a new one is open within 40 s. */
const answeredBoundMs = 90_000;
const indexedBoundMs = 60_000;
const billedBoundMs = 90_000;
const where = { where: {} };

/**
 * A workspace that counts all stores and reads them page by page, all the time. Each request must be answered with 503 `unavailable`, with a
 * success, or, if the engine has lost the edition of its cursor, with 400. Of the successes:
 *
 * - all pages of one edition have as many stores as the count of this edition says, and none twice;
 * - the rows are billed, and nothing else, in the responses and in the ledger.
 *
 * After the fault, searches succeed again, and search has read every update of a store.
 */
export async function searchStores(context: FaultContext) {
  const { system, databases, billingProblems, recordProblem, recordFigure } = context;
  const customer = await createStoresCustomer(system.direct.keys);
  const url = system.gateways[0]?.url ?? '';
  const counts = { rows: 0, answered: 0, refused: 0 };

  const send = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.keys[0]?.secret}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    }).catch(() => undefined);
    const answer = (await response?.json().catch(() => undefined)) as { error?: { code: string } } | undefined;
    const code = answer?.error?.code ?? '';
    if (response?.ok && answer) {
      counts.answered += 1;
      return answer;
    }
    if (response?.status === 503 && code === 'unavailable') counts.refused += 1;
    else if (!(response?.status === 400 && 'cursor' in body))
      recordProblem(`POST ${path} was answered with ${response?.status ?? 'nothing'} ${code}`.trim());
    return undefined;
  };

  const readPage = async (cursor: string | undefined) => {
    const page = (await send('/v1/stores/search', { ...where, limit: rowsOfPage, ...(cursor && { cursor }) })) as
      | SearchPage
      | undefined;
    if (!page) return undefined;
    counts.rows += page.data.length;
    const billed = page.billed.lookup_cached ?? 0;
    if (billed !== page.data.length) billingProblems.push(`a page of ${page.data.length} rows billed ${billed}`);
    if (page.data.some(({ domain, store }) => store.domain !== domain)) recordProblem('a row has another store');
    return page;
  };
  /** Resolves to whether all pages were read. */
  const walk = async (): Promise<boolean> => {
    const counted = (await send('/v1/stores/count', where)) as CountedStores | undefined;
    const domains: string[] = [];
    let editionId = '';
    let cursor: string | null | undefined;
    for (let n = 0; n < maxPages && cursor !== null; n++) {
      const page = await readPage(cursor);
      if (!page) return false;
      editionId = page.edition.id;
      domains.push(...page.data.map(({ domain }) => domain));
      cursor = page.next_cursor;
    }
    if (new Set(domains).size < domains.length) recordProblem('a store is on two pages of an edition');
    if (counted?.edition.id === editionId && counted.total.value !== domains.length)
      recordProblem(`an edition has ${domains.length} rows, and its count is ${counted.total.value}`);
    return counted !== undefined;
  };

  if (!(await walk())) throw new Error('a search failed before the fault');
  let isOver = false;
  const walkOften = async () => {
    while (!isOver) {
      await walk();
      await sleep(pauseMs);
    }
  };
  const running = walkOften();

  const requireIndexed = async () => {
    const adminUrl = system.adminUrls.get('search-1') ?? '';
    const areRead = async () => {
      const metrics = await metricsOf(adminUrl);
      recordFigure('stores indexed', counterSum(metrics, 'search_documents_total', 'cause="update"'));
      const isRead = metrics.includes('kafka_consumer_lag{');
      return (isRead && counterSum(metrics, 'kafka_consumer_lag', 'group="search"') === 0) || undefined;
    };
    if (!(await poll(areRead, { timeoutMs: indexedBoundMs, everyMs: 500 })))
      recordProblem(`search had not read every update ${indexedBoundMs / 1_000} s after the fault`);
  };
  const reconcile = async () => {
    let problem = 'the ledger of the searches was not read';
    const isEqual = async () => {
      const charges = await databases.charges(customer.workspaceId);
      const billed = charges.reduce((sum, { units }) => sum + units.lookupCached, 0);
      problem = `searches answered ${counts.rows} rows, and the ledger has ${billed}`;
      return billed === counts.rows || undefined;
    };
    if (!(await poll(isEqual, { timeoutMs: billedBoundMs, everyMs: 500 }))) billingProblems.push(problem);
  };

  return {
    /** Waits until searches succeed again, and compares what they have left. */
    async finish(): Promise<void> {
      isOver = true;
      await running;
      const succeeds = async () => (await walk()) || undefined;
      if (!(await poll(succeeds, { timeoutMs: answeredBoundMs, everyMs: 500 })))
        recordProblem(`searches failed ${answeredBoundMs / 1_000} s after the fault`);
      await requireIndexed();
      await reconcile();
      recordFigure('searches answered', counts.answered);
      recordFigure('searches refused', counts.refused);
    },
  };
}
