import type { Past } from '../past/pasts.ts';

/** One request to the control endpoint of a demo store. */
export interface Change {
  verb: 'apps' | 'platform' | 'state';
  body: Record<string, unknown>;
}

/**
 * A store that changes when the corpus is filled. Its earlier observations are imported, because observations that confirm a change lie
 * at least six hours apart. The scan of the fill sees it after the changes of today.
 */
export interface Scenario extends Past {
  today: readonly Change[];
}

const apps = (body: { add?: string[]; configure?: string[]; remove?: string[] }): Change => ({ verb: 'apps', body });
const move = { platform: 'shopify', theme: 'Dawn' } as const;

/** Together they produce every type of signal and every install state. */
export const scenarios: readonly Scenario[] = [
  // technology_added.
  { domain: 'northwind-tea.example', changes: { 1: {} }, today: [apps({ add: ['gorgias'] })] },
  // install_state_changed, configured -> active.
  { domain: 'shopscope-demo.myshopify.com', changes: { 1: {} }, today: [apps({ add: ['klaviyo'] })] },
  // install_state_changed, active -> inactive.
  { domain: 'prairie-boots.example', changes: { 1: {} }, today: [apps({ configure: ['klaviyo'] })] },
  // technology_removed, which needs two observations without it.
  {
    domain: 'lumiere-velo.example',
    changes: { 2: {}, 1: { apps: { remove: ['hotjar'] } } },
    today: [apps({ remove: ['hotjar'] })],
  },
  // platform_changed, which needs two observations that agree.
  {
    domain: 'tiny-acre-honey.example',
    changes: { 2: {}, 1: { platform: move } },
    today: [{ verb: 'platform', body: move }],
  },
  // status_changed, twice: to password_protected after two observations that agree, and back at once. A third observation with a
  // password page comes between, because the next observation would otherwise retract the change.
  { domain: 'fjordlicht.example', changes: { 4: {}, 3: { state: 'password' } }, today: [] },
];
