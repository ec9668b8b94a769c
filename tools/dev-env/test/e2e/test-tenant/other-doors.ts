import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import type { DevEnv } from '../../../src/index.ts';
import { invite, password } from '../dashboard/people.ts';

const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Signs a person up as an admin of the workspace. */
export async function signUp(env: DevEnv, workspaceId: string): Promise<Visitor> {
  const visitor = createVisitor(env.dashboard?.url ?? '');
  const { pathname, search } = new URL(await invite(env, workspaceId, 'tess@example.com', 'admin'));
  await visitor.submit(pathname + search, { name: 'Tess', password, intent: 'sign-up' });
  return visitor;
}

/** Looks a domain up on the page of stores of the test environment. Resolves to the status of the response to the form. */
export async function lookUpOnPage(visitor: Visitor, workspaceId: string, domain: string): Promise<number> {
  const page = `/workspaces/${workspaceId}-test/stores`;
  const token = tokenIn(await (await visitor.get(page)).text());
  return (await visitor.submit(page, { domain, token })).status;
}

/** Reads the history of a store on the page of changes, and begins an import of a list. Resolves to the places of their results. */
export async function readAndImport(visitor: Visitor, workspaceId: string, domain: string): Promise<(string | null)[]> {
  const home = `/workspaces/${workspaceId}-test`;
  const token = () => crypto.randomUUID();
  const read = await visitor.submit(`${home}/changes?store=${domain}`, { domain, newer: '', token: token() });
  const begun = await visitor.submit(`${home}/lists/new`, { name: 'Stores', domains: domain, token: token() });
  return [read, begun].map(({ headers }) => headers.get('location'));
}

/** Looks a domain up with the tool of the Model Context Protocol. Resolves to the text of the answer. */
export async function lookUpByModel(env: DevEnv, secret: string, domain: string): Promise<string> {
  const params = { name: 'look_up_store', arguments: { domain } };
  const response = await fetch(`${env.dashboard?.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return response.text();
}
