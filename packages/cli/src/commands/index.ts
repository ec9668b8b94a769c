import type { Commands } from '../command.ts';

export const commands: Commands = {
  login: { summary: 'keep an API key for the other commands', load: () => import('./login.ts') },
  logout: { summary: 'forget the API key', load: () => import('./logout.ts') },
  lookup: { summary: 'profiles of stores', load: () => import('./lookup.ts') },
  find: { summary: 'which stores match, and how many', load: () => import('./find.ts') },
  enrich: { summary: 'profiles of all stores of a file or a list, of any length', load: () => import('./enrich.ts') },
  scan: { summary: 'ask for a scan of a store', load: () => import('./scan.ts') },
  jobs: { summary: 'scans and enrichments, and their results', load: () => import('./jobs.ts') },
  lists: { summary: 'lists of stores', load: () => import('./lists.ts') },
  events: { summary: 'what happened: signals of watched stores, scans, jobs', load: () => import('./events.ts') },
  listen: {
    summary: 'forward new events to an address of yours, signed like webhooks',
    load: () => import('./listen.ts'),
  },
  watchlists: { summary: 'stores whose changes are recorded and rescanned', load: () => import('./watchlists.ts') },
  webhooks: { summary: 'endpoints of yours that receive events', load: () => import('./webhooks.ts') },
  deliveries: { summary: 'what was sent to webhooks, and the answers', load: () => import('./deliveries.ts') },
  history: { summary: 'confirmed changes of a store', load: () => import('./history.ts') },
  signals: { summary: 'confirmed changes of all stores', load: () => import('./signals.ts') },
  technologies: { summary: 'the vocabulary of technologies', load: () => import('./technologies.ts') },
  usage: { summary: 'units used in this period', load: () => import('./usage.ts') },
  account: { summary: 'key, plan and limits', load: () => import('./account.ts') },
  open: { summary: 'open the public page of a store', load: () => import('./open.ts') },
  completion: { summary: 'completion for bash, zsh or fish', load: () => import('./completion.ts') },
};
