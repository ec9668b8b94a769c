/** The labels of the contract's scopes and of the presets that a person can choose. The keys service checks the choice. */
export const scopeTexts: Readonly<Record<string, string>> = {
  'read:stores': 'Read store profiles and technologies, enrich without a refresh',
  'read:signals': 'Read the history of stores, signals and events',
  'write:scans': 'Ask for scans of stores, which are billed',
  'read:watchlists': 'Read watchlists',
  'write:watchlists': 'Change watchlists',
  'read:webhooks': 'Read webhook subscriptions and deliveries',
  'write:webhooks': 'Change webhook subscriptions',
  'read:jobs': 'Read the state and results of jobs',
};

export const allScopes = Object.keys(scopeTexts);

const reading = ['read:stores', 'read:signals', 'read:watchlists', 'read:webhooks', 'read:jobs'];

export const presetTexts = [
  {
    preset: 'read_only',
    name: 'Read only',
    text: 'Reads everything, changes nothing and asks for no scans.',
    scopes: reading,
  },
  {
    preset: 'read_and_watch',
    name: 'Read and watch',
    text: 'Reads everything and changes watchlists and webhooks.',
    scopes: [...reading, 'write:watchlists', 'write:webhooks'],
  },
  {
    preset: 'full',
    name: 'Full',
    text: 'Everything, also asking for scans, which are billed.',
    scopes: allScopes,
  },
] as const;

const names = new Map<string, string>([
  ...presetTexts.map(({ preset, name }) => [preset, name] as const),
  ['partner', 'Partner'],
  ['custom', 'Own scopes'],
]);

/** The preset with exactly these scopes. */
export const presetWith = (scopes: readonly string[]) =>
  presetTexts.find(
    (candidate) =>
      candidate.scopes.length === scopes.length && scopes.every((scope) => candidate.scopes.includes(scope)),
  );

/** The name of a key's access. A key without a recorded preset gets the name of the preset with the same scopes. */
export const accessName = ({ preset, scopes }: { preset: string; scopes: readonly string[] }): string =>
  names.get(preset) ?? presetWith(scopes)?.name ?? 'Own scopes';
