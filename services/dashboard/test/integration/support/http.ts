/** A client with cookies that submits forms as a browser without script does. It follows no redirect. */
export function createBrowserSession(url: string) {
  const cookies = new Map<string, string>();

  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (attributes.some((text) => text.trim() === 'Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value.join('='));
    }
    return response;
  };

  return {
    cookies,
    request,
    get: (path: string) => request(path),
    /** Sends a form, by default with the Origin header of the dashboard. */
    submit: (path: string, fields: Record<string, string>, headers: Record<string, string> = { Origin: url }) =>
      request(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
  };
}

export type BrowserSession = ReturnType<typeof createBrowserSession>;
