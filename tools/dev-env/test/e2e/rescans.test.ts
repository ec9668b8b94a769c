import { hourMs } from '@shopscope/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevEnv, startDevEnv } from '../../src/index.ts';
import { type ApiClient, apiClient } from './client.ts';

/**
 * Real scans of demo stores that change between them: the stored signals say what changed, and nothing else. By day, story.test.ts has the
 * added and the removed app of a real store, and the tests of profiles have the other changes.
 */
describe('repeated scans of changing stores', { tags: ['nightly'] }, () => {
  let env: DevEnv;
  let api: ApiClient;
  const stores = {
    added: 'northwind-tea.example',
    configured: 'shopscope-demo.myshopify.com',
    removed: 'lumiere-velo.example',
    moved: 'tiny-acre-honey.example',
    closed: 'fjordlicht.example',
    unchanged: 'maple-and-moss.example',
  };

  /** Scans every store once more, and waits until all scans are stored. */
  const scanAll = async () => {
    const { status, body } = await api.enrich({ domains: Object.values(stores), refresh: true });
    expect(status).toBe(200);
    expect(body.results.map((result: { scan_requested: boolean }) => result.scan_requested)).not.toContain(false);
    await env.settle();
  };
  const read = async (domain: string) => (await api.get(`/v1/stores/${domain}`)).body.store;
  /** One line for each stored signal, oldest first. */
  const story = async (domain: string): Promise<string[]> =>
    (await read(domain)).recent_signals
      .toReversed()
      .map(
        ({ type, technology, from, to }: Record<string, string | null>) => `${type}: ${technology}, ${from} -> ${to}`,
      );
  const technologiesOf = (store: { technologies: { slug: string; install_state: string }[] }) =>
    store.technologies.map(({ slug, install_state }) => `${slug} ${install_state}`);
  let technologiesWhenOpen: string[];
  const sixHoursMs = 6 * hourMs;

  beforeAll(async () => {
    env = await startDevEnv({ label: 'rescans' });
    const { plans } = await env.keys.listPlans({});
    const scale = plans.find((plan) => plan.slug === 'scale');
    if (!scale) throw new Error('there is no plan scale');
    await env.keys.putPlan({ plan: { ...scale, slug: 'always_stale', freshnessDays: 0 }, actor: 'operator:test' });
    const workspace = await env.createWorkspace({ plan: 'always_stale' });
    api = apiClient(env.apiUrls[0] as string, workspace.secret);
    await scanAll();
    technologiesWhenOpen = technologiesOf(await read(stores.closed));
  });
  afterAll(() => env?.stop());

  it('a second scan shows at once a new app and one that starts to run, and does not confirm other changes yet', async () => {
    env.demoStores.setApps(stores.added, { add: ['gorgias'] });
    env.demoStores.setApps(stores.configured, { add: ['klaviyo'] });
    env.demoStores.setApps(stores.removed, { remove: ['hotjar'] });
    env.demoStores.setPlatform(stores.moved, { platform: 'shopify', theme: 'Dawn' });
    env.demoStores.setState(stores.closed, 'password');
    await scanAll();
    expect(await story(stores.added)).toEqual(['technology_added: gorgias, null -> active']);
    expect(await story(stores.configured)).toEqual(['install_state_changed: klaviyo, configured -> active']);
    expect(await story(stores.removed)).toEqual([]);
    expect(await story(stores.moved)).not.toContainEqual(expect.stringMatching('platform_changed|technology_removed'));
    expect((await read(stores.moved)).platform.slug).toBe('wix');
    expect(await story(stores.closed)).toEqual([]);
    expect((await read(stores.closed)).status.state).toBe('active_storefront');
  });

  it('a third scan within six hours confirms no removal, no other platform and no password page', async () => {
    await scanAll();
    expect(await story(stores.removed)).toEqual([]);
    expect((await read(stores.moved)).platform.slug).toBe('wix');
    expect(await story(stores.closed)).toEqual([]);
    expect((await read(stores.closed)).observation.coverage_note).toMatch(
      /^Seen as password_protected; the profile is as before until a scan from \S+Z on agrees\.$/,
    );
  });

  it('two scans six hours apart that agree confirm a removed app, another platform and a password page', async () => {
    env.passTime(sixHoursMs);
    await scanAll();
    expect(await story(stores.removed)).toEqual(['technology_removed: hotjar, active -> null']);
    expect(await story(stores.moved)).toEqual(
      expect.arrayContaining([
        'platform_changed: shopify, wix -> shopify',
        'technology_removed: wix, active -> null',
        'technology_added: dawn, null -> active',
      ]),
    );
    const moved = await read(stores.moved);
    expect(moved.platform.slug).toBe('shopify');
    expect(moved.technologies.map(({ slug }: { slug: string }) => slug)).not.toContain('wix');
    expect(await story(stores.closed)).toEqual(['status_changed: shopify, active_storefront -> password_protected']);
  });

  it('a store that is open again is shown at once, and keeps the technologies that a password page cannot show', async () => {
    // The next scan confirms the password page.
    await scanAll();
    env.demoStores.setState(stores.closed, 'open');
    await scanAll();
    expect(await story(stores.closed)).toEqual([
      'status_changed: shopify, active_storefront -> password_protected',
      'status_changed: shopify, password_protected -> active_storefront',
    ]);
    expect(technologiesOf(await read(stores.closed))).toEqual(technologiesWhenOpen);
  });

  it('repeated scans repeat no signal, and report nothing that did not change', async () => {
    expect(await story(stores.added)).toHaveLength(1);
    expect(await story(stores.configured)).toHaveLength(1);
    expect(await story(stores.removed)).toHaveLength(1);
    expect(await story(stores.unchanged)).toEqual([]);
  });
});
