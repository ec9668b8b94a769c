export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

/** A caller of the public API that sums the units that responses report as billed. */
export class Caller {
  readonly workspaceId: string;
  readonly billed = { lookup_cached: 0, lookup_live: 0 };
  gateway = '';
  readonly #secret: string;

  constructor(workspace: { workspaceId: string; secret: string }) {
    this.workspaceId = workspace.workspaceId;
    this.#secret = workspace.secret;
  }

  async get(path: string): Promise<Answer> {
    return this.#call(path, {});
  }

  async read(domain: string): Promise<Answer> {
    const answer = await this.#call(`/v1/stores/${domain}`, {});
    if (answer.status === 200) this.billed.lookup_cached += 1;
    return answer;
  }

  async enrich(body: unknown, idempotencyKey?: string): Promise<Answer> {
    const answer = await this.#call('/v1/stores/enrich', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
      body: JSON.stringify(body),
    });
    if (answer.status === 200 && !answer.headers.has('idempotent-replayed')) {
      this.billed.lookup_cached += answer.body.billed.lookup_cached;
      this.billed.lookup_live += answer.body.billed.lookup_live;
    }
    return answer;
  }

  async #call(path: string, init: RequestInit): Promise<Answer> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#secret}` };
    const response = await fetch(this.gateway + path, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }
}
