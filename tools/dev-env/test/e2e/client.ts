/** The status, the headers and the body of a response of the public API. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

export interface ApiClient {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Without a body. */
  post(path: string, headers?: Record<string, string>): Promise<Answer>;
  enrich(body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export function apiClient(baseUrl: string, secret: string): ApiClient {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(baseUrl + path, init);
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
  };
  const authorization = `Bearer ${secret}`;
  return {
    get: (path, headers = {}) => call(path, { headers: { authorization, ...headers } }),
    post: (path, headers = {}) => call(path, { method: 'POST', headers: { authorization, ...headers } }),
    enrich: (body, headers = {}) =>
      call('/v1/stores/enrich', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}
