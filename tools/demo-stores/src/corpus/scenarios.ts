/** One request to the control endpoint of a demo store. */
export interface Change {
  verb: 'apps' | 'platform' | 'state';
  body: Record<string, unknown>;
}

/**
 * The changes of a demo store after its first scan: one step per round, each followed by a scan. A step without a
 * change repeats the scan, which confirms signals that need a second observation.
 */
export interface Scenario {
  domain: string;
  steps: readonly (readonly Change[])[];
}

const noChange: readonly Change[] = [];
const apps = (body: { add?: string[]; configure?: string[]; remove?: string[] }): Change => ({ verb: 'apps', body });
const state = (name: string): Change => ({ verb: 'state', body: { state: name } });

/** Together they produce every type of signal and every install state. */
export const scenarios: readonly Scenario[] = [
  // technology_added.
  { domain: 'northwind-tea.example', steps: [[apps({ add: ['gorgias'] })]] },
  // install_state_changed, configured -> active.
  { domain: 'shopscope-demo.myshopify.com', steps: [[apps({ add: ['klaviyo'] })]] },
  // install_state_changed, active -> inactive.
  { domain: 'prairie-boots.example', steps: [[apps({ configure: ['klaviyo'] })]] },
  // technology_removed, which needs two scans without it.
  { domain: 'lumiere-velo.example', steps: [[apps({ remove: ['hotjar'] })], noChange] },
  // platform_changed, which needs two scans that agree.
  {
    domain: 'tiny-acre-honey.example',
    steps: [[{ verb: 'platform', body: { platform: 'shopify', theme: 'Dawn' } }], noChange],
  },
  // status_changed, twice: to password_protected after two scans that agree, and back at once.
  { domain: 'fjordlicht.example', steps: [[state('password')], noChange, [state('open')]] },
];
