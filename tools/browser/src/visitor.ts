const requestTimeoutMs = 20_000;

/** A browser without script. */
export interface Visitor {
  readonly cookies: ReadonlyMap<string, string>;
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
  /** Sends a form. The default header is the Origin of the site. */
  submit(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
}

/**
 * Keeps cookies as a browser does, and follows no redirect. A request without a response within 20 s is rejected.
 *
 * @param url Address of the site, for example the dashboard's.
 */
export function createVisitor(url: string): Visitor {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();

  const keep = (line: string) => {
    const [pair = '', ...attributes] = line.split(';');
    const [name = '', ...value] = pair.split('=');
    if (attributes.some((text) => /^\s*max-age=0$/i.test(text))) cookies.delete(name);
    else cookies.set(name, value.join('='));
  };
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(new URL(path, url), { signal, ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) keep(line);
    return response;
  };
  return {
    cookies,
    request,
    get: (path) => request(path),
    submit: (path, form, headers = { Origin: origin }) =>
      request(path, { method: 'POST', body: new URLSearchParams(form), headers }),
  };
}
