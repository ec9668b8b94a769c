/** The REST interface of a running n8n, as its editor uses it. */
export type Session = Awaited<ReturnType<typeof openSession>>;

const timeoutMs = 60_000;

/** Sets up the owner of an empty n8n. */
export async function openSession(url: string) {
  const owner = { email: 'owner@shopscope.example', firstName: 'A', lastName: 'B', password: 'Password-of-a-check-1' };
  const setup = await send(url, { method: 'POST', path: '/owner/setup', body: owner });
  const cookie = setup.headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ');
  const call = async (method: string, path: string, body?: object) => {
    const response = await send(url, { method, path, body, cookie });
    return ((await response.json()) as { data: Record<string, unknown> }).data;
  };
  return {
    async activate(id: string): Promise<void> {
      const { versionId } = await call('GET', `/workflows/${id}`);
      await call('POST', `/workflows/${id}/activate`, { versionId });
    },
    deactivate: (id: string) => call('POST', `/workflows/${id}/deactivate`, {}),
    /** Runs the test of the credential. Resolves to its status. */
    async testCredential(id: string): Promise<unknown> {
      const { status } = await call('POST', '/credentials/test', {
        credentials: await call('GET', `/credentials/${id}`),
      });
      return status;
    },
  };
}

async function send(
  url: string,
  { method, path, body, cookie }: { method: string; path: string; body?: object | undefined; cookie?: string },
): Promise<Response> {
  const response = await fetch(`${url}/rest${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok)
    throw new Error(`${method} /rest${path} of n8n answered ${response.status}: ${await response.text()}`);
  return response;
}
