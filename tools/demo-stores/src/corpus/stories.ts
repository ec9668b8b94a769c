/** One request to a demo store's control endpoint. */
export interface Change {
  verb: 'apps' | 'platform' | 'state';
  body: Record<string, unknown>;
}

/**
 * What happens to a demo store after its first scan: one step per round, each followed by a scan. A step without a change
 * is a second look, which confirms what one scan alone cannot prove.
 */
export interface Story {
  domain: string;
  steps: readonly (readonly Change[])[];
}

const secondLook: readonly Change[] = [];
const apps = (body: { add?: string[]; configure?: string[]; remove?: string[] }): Change => ({ verb: 'apps', body });
const state = (name: string): Change => ({ verb: 'state', body: { state: name } });

/** Between them they show every type of signal and every install state. */
export const stories: readonly Story[] = [
  // technology_added.
  { domain: 'northwind-tea.example', steps: [[apps({ add: ['gorgias'] })]] },
  // install_state_changed, configured -> active.
  { domain: 'shopscope-demo.myshopify.com', steps: [[apps({ add: ['klaviyo'] })]] },
  // install_state_changed, active -> inactive.
  { domain: 'prairie-boots.example', steps: [[apps({ configure: ['klaviyo'] })]] },
  // technology_removed, which needs two scans without it.
  { domain: 'lumiere-velo.example', steps: [[apps({ remove: ['hotjar'] })], secondLook] },
  // platform_changed, which needs two scans that agree.
  {
    domain: 'tiny-acre-honey.example',
    steps: [[{ verb: 'platform', body: { platform: 'shopify', theme: 'Dawn' } }], secondLook],
  },
  // status_changed, twice: to password_protected after two scans that agree, and back at once.
  { domain: 'fjordlicht.example', steps: [[state('password')], secondLook, [state('open')]] },
];
