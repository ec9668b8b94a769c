import { Agent, request } from 'node:http';
import { type Attempt, noUnits } from './history.ts';

export interface Call {
  gateway: number;
  url: string;
  method: 'GET' | 'POST';
  path: string;
  secret: string;
  idempotencyKey?: string | null;
  body?: unknown;
  timeoutMs: number;
  /** Whether a new connection is opened, because the server may be about to close an idle one. */
  onNewConnection?: boolean;
}

/** The gateway closes a connection that was idle for 65 s. A request that was sent on it at that moment would fail. */
const idleTimeoutMs = 30_000;

const agents = new Map<string, Agent>();
const agentFor = (url: string): Agent => {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: 1_000, timeout: idleTimeoutMs });
  agents.set(url, agent);
  return agent;
};

/** Sends the call once and resolves to the attempt. Never rejects. */
export function send(call: Call): Promise<Attempt> {
  const startMs = performance.now();
  const attempt = (rest: Answered): Attempt => ({
    gateway: call.gateway,
    startMs,
    endMs: performance.now(),
    wallOffsetMs: Date.now() - performance.now(),
    status: 0,
    code: '',
    retryAfterS: null,
    billed: noUnits,
    jobs: [],
    replayed: false,
    ...rest,
  });
  return new Promise((done) => {
    const sent = request(`${call.url}${call.path}`, {
      method: call.method,
      agent: call.onNewConnection ? false : agentFor(call.url),
      headers: {
        authorization: `Bearer ${call.secret}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
      },
    });
    const timer = setTimeout(() => sent.destroy(new Error('timeout')), call.timeoutMs);
    const failed = (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      done(
        attempt({ outcome: error.code === 'ECONNREFUSED' ? 'refused' : 'unknown', code: error.code ?? error.message }),
      );
    };
    sent.on('error', failed);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        clearTimeout(timer);
        const replayed = response.headers['idempotent-replayed'] === 'true';
        const retryAfter = response.headers['retry-after'];
        const retryAfterS = retryAfter === undefined ? null : Number(retryAfter);
        done(attempt({ replayed, retryAfterS, ...read(call, response.statusCode ?? 0, Buffer.concat(chunks)) }));
      });
    });
    sent.end(call.body === undefined ? undefined : JSON.stringify(call.body));
  });
}

interface JobResponse {
  id: string;
  domain: string;
  state: string;
  billed: { lookup_live: number; refresh_requested: number };
}

/** Reads a job from a response. Its `billed` does not tell whether this request bills it, because a request may join a job. */
function readJob(path: string, { id, domain, state, billed }: JobResponse): Partial<Attempt> {
  if (path.endsWith('/scans')) return { jobs: [{ id, domain }] };
  return { canceled: { id, state, isBilled: billed.lookup_live + billed.refresh_requested > 0 } };
}

interface EnrichResponse {
  billed: { lookup_cached: number; lookup_live: number };
  results: { input: string; scan_job_id: string | null }[];
  /** The rows of a page. */
  data: unknown[];
}

/** The fields of an attempt that its response determines. */
type Answered = Pick<Attempt, 'outcome'> & Partial<Attempt>;

function read({ method, path }: Call, status: number, body: Buffer): Answered {
  const parsed = JSON.parse(body.toString()) as Partial<EnrichResponse> & { error?: { code: string } };
  const { error, billed, results, data } = parsed;
  if (status >= 400) return { outcome: 'fail', status, code: error?.code ?? '' };
  const isJob = path.endsWith('/scans') || path.endsWith('/cancel');
  if (isJob) return { outcome: 'ok', status, ...readJob(path, parsed as unknown as JobResponse) };
  const isQuery = method === 'GET' && /\/(history|signals)\?/.test(path);
  const isLookUp = method === 'GET' && path.startsWith('/v1/stores/') && !isQuery;
  return {
    outcome: 'ok',
    status,
    // A page without a row is free.
    ...(isQuery && data && data.length > 0 && { billed: { ...noUnits, historyQuery: 1 } }),
    ...(isLookUp && { billed: { lookupCached: 1, lookupLive: 0 } }),
    ...(billed && { billed: { lookupCached: billed.lookup_cached, lookupLive: billed.lookup_live } }),
    jobs: (results ?? []).flatMap(({ input, scan_job_id: id }) => (id ? [{ id, domain: input }] : [])),
  };
}
