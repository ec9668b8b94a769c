/** A page of the dashboard as pictures and tests open it. */
export interface PageOfDashboard {
  /** Unique within its list. Pictures are named for it. */
  name: string;
  /** Path and query below the dashboard's address, without the slash at the beginning. */
  path: string;
  status: 200 | 404;
}

export type Role = 'admin' | 'member';

/**
 * The ids in the paths of a workspace: the workspace, one of its keys, and a member other than the reader. A request of
 * its log, a list, a job over a list, a watchlist and a webhook are set if it has one.
 */
export interface PageIds {
  workspaceId: string;
  keyId: string;
  memberId: string;
  requestId?: string | undefined;
  listId?: string | undefined;
  jobId?: string | undefined;
  watchlistId?: string | undefined;
  webhookId?: string | undefined;
}

const page = (name: string, path = name, status: 200 | 404 = 200): PageOfDashboard => ({ name, path, status });

/** Pages for everybody, which are not hydrated. `domain` is a store of the corpus. */
export const sitePages = (domain: string): PageOfDashboard[] => [
  page('front', ''),
  page('store', `stores/${domain}`),
  page('store-unknown', 'stores/nobody.example', 404),
  page('technologies'),
  page('technology', 'technologies/shopify'),
  page('technology-unknown', 'technologies/no-such-slug', 404),
  page('docs'),
  page('docs-guide', 'docs/first-call'),
  page('docs-command-line', 'docs/cli'),
  page('docs-language-models', 'docs/mcp'),
  page('docs-errors', 'docs/errors'),
  page('docs-reference', 'docs/reference'),
  page('docs-operation', 'docs/reference/enrichStores'),
  page('docs-operation-announced', 'docs/reference/createWebhook'),
  page('docs-graphql-schema', 'docs/graphql/schema'),
  page('docs-search', 'docs/search?q=idempotency'),
  page('docs-search-nothing', 'docs/search?q=zzzzqqqq'),
  page('docs-unknown', 'docs/no-such-guide', 404),
  page('bot'),
  page('status'),
];

/** Pages before the sign-in. With an unknown token, they show what they say when a link cannot be used. */
export const entrancePages: readonly PageOfDashboard[] = [
  page('sign-in'),
  page('sign-in-code', 'sign-in/code'),
  page('sign-up'),
  page('verify'),
  page('verify-link', 'verify?token=unknown'),
  page('forgot-password'),
  page('reset-password', 'reset-password?token=unknown'),
  page('invitation-unknown', 'invitations/unknown', 404),
  page('no-such-page', 'no-such-page', 404),
];

/** Pages of every signed-in person. */
export const accountPages: readonly PageOfDashboard[] = [
  page('account'),
  page('account-address', 'account/address?token=unknown', 404),
  page('account-two-factor', 'account/two-factor'),
  page('account-two-factor-set-up', 'account/two-factor/set-up'),
  page('account-delete', 'account/delete'),
  page('confirm'),
];

/** Pages of a workspace that this role may open. */
export function workspacePages(role: Role, ids: PageIds): PageOfDashboard[] {
  const { workspaceId, keyId, memberId, requestId, listId, jobId, watchlistId, webhookId } = ids;
  const own = (name: string, path: string) => page(name, `workspaces/${workspaceId}${path}`);
  const key = `/settings/keys/${keyId}`;
  const ofWebhook = (...paths: string[]) =>
    webhookId === undefined
      ? []
      : paths.map((path) => own(`webhook${path.replace('/', '-')}`, `/webhooks/${webhookId}${path}`));
  const all = [
    own('overview', ''),
    own('stores', '/stores'),
    own('stores-from-palette', '/stores?domain=shop.example'),
    own('store-scan', '/stores/shop.example/scan'),
    own('find', '/find?c1=klaviyo&country=DE'),
    own('lists', '/lists'),
    own('list-new', '/lists/new'),
    ...(listId === undefined
      ? []
      : ['', '/import', '/enrich', '/delete'].map((path) =>
          own(`list${path.replace('/', '-')}`, `/lists/${listId}${path}`),
        )),
    own('watchlists', '/watchlists'),
    own('watchlist-new', '/watchlists/new'),
    own('watchlist-new-store', '/watchlists/new?domain=shop.example'),
    ...(watchlistId === undefined
      ? []
      : ['', '/delete'].map((path) => own(`watchlist${path.replace('/', '-')}`, `/watchlists/${watchlistId}${path}`))),
    own('jobs', '/jobs'),
    ...(jobId === undefined ? [] : [own('job', `/jobs/${jobId}`)]),
    own('jobs-filtered', '/jobs?type=enrich&state=failed'),
    own('webhooks', '/webhooks'),
    ...ofWebhook('', '/verify'),
    own('deliveries', '/webhooks/deliveries'),
    own('deliveries-filtered', '/webhooks/deliveries?state=failed&time=24h'),
    own('try-out', '/try/enrichStores'),
    own('try-out-free', '/try/listTechnologies'),
    own('try-out-graphql', '/try/graphql'),
    own('try-out-graphql-example', '/try/graphql?document=history'),
    own('changes', '/changes'),
    own('changes-filtered', '/changes?type=failed_scans'),
    own('changes-history', '/changes?store=shop.example'),
    own('usage', '/usage'),
    own('usage-by-key', '/usage?split=keys'),
    own('requests', '/requests'),
    own('requests-filtered', '/requests?time=24h&result=refused&code=rate_limited'),
    ...(requestId === undefined ? [] : [own('request', `/requests/${requestId}`)]),
    own('keys', '/settings/keys'),
    own('key', key),
    own('members', '/settings/members'),
    own('leave', '/settings/leave'),
    own('plan', '/settings/plan'),
    own('workspace', '/settings/workspace'),
    page('test-overview', `workspaces/${workspaceId}-test`),
    page('test-tenant', `workspaces/${workspaceId}-test/settings/test`),
  ];
  if (role === 'member') return all;
  return [
    ...all,
    own('webhook-new', '/webhooks/new'),
    ...ofWebhook('/edit', '/rotate', '/replay', '/delete'),
    own('key-new', '/settings/keys/new'),
    own('key-revoke', `${key}/revoke`),
    own('key-rotate', `${key}/rotate`),
    own('member-demote', `/settings/members/${memberId}/demote`),
    own('member-keys', `/settings/members/${memberId}/keys`),
    own('member-remove', `/settings/members/${memberId}/remove`),
    own('audit-log', '/settings/audit-log'),
    own('workspace-delete', '/settings/workspace/delete'),
  ];
}

/**
 * Finds the ids in the lists of a workspace, as an admin who is not its only member sees them.
 *
 * @param read Returns the HTML of the page at this path.
 */
export async function findPageIds(read: (path: string) => Promise<string>, workspaceId: string): Promise<PageIds> {
  const idIn = async (list: 'keys' | 'members', end: string) => {
    const html = await read(`/workspaces/${workspaceId}/settings/${list}`);
    const id = new RegExp(`href="[^"]*/([^"/]+)/${end}"`).exec(html)?.[1];
    if (id === undefined) throw new Error(`the list of ${list} has no link to ${end}`);
    return id;
  };
  const firstIn = async (list: 'requests' | 'lists' | 'jobs' | 'watchlists' | 'webhooks', id: string) => {
    const html = await read(`/workspaces/${workspaceId}/${list}`);
    return new RegExp(`href="[^"]*/${list}/(${id})"`).exec(html)?.[1];
  };
  return {
    workspaceId,
    keyId: await idIn('keys', 'revoke'),
    memberId: await idIn('members', 'remove'),
    requestId: await firstIn('requests', '[^"/]+'),
    listId: await firstIn('lists', 'lst_\\w+'),
    jobId: await firstIn('jobs', 'job_u\\w+'),
    watchlistId: await firstIn('watchlists', 'wl_\\w+'),
    webhookId: await firstIn('webhooks', 'whk_\\w+'),
  };
}
