import type { Environment } from '@shopscope/environment';
import {
  Activity,
  ChartNoAxesColumn,
  Eye,
  FlaskConical,
  House,
  KeyRound,
  ListChecks,
  Logs,
  type LucideIcon,
  ScrollText,
  Search,
  SlidersHorizontal,
  Store,
  Users,
  WalletCards,
  Webhook,
  Workflow,
} from 'lucide-react';

/** A page of a workspace, for the navigation and the command palette. */
interface WorkspacePage {
  path: string;
  label: string;
  group: 'Workspace' | 'Requests' | 'Settings';
  /** Further words by which it can be found. */
  words: string;
  /** Set if the page is in the navigation. */
  icon?: LucideIcon;
  adminOnly?: boolean;
  /** The page exists in the test environment only. */
  testOnly?: boolean;
  /** The page is offered only if the text matches. The text is added to the label and to the address. */
  takes?: RegExp;
}

/** A page that the command palette opens. */
export type Command = Pick<WorkspacePage, 'label' | 'takes'> & { group: string; words?: string; to: string };

export interface CommandsOf {
  workspace: { id: string; segment: string; environment: Environment; role: 'admin' | 'member' };
  workspaces: readonly { id: string; name: string }[];
}

/** An X-Request-Id with a digit, because texts without a digit are names of pages. */
const requestId = /^(?=\D*\d)[\w-]{8,64}$/;

const page = (
  group: WorkspacePage['group'],
  path: string,
  label: string,
  words: string,
  more: Pick<WorkspacePage, 'icon' | 'adminOnly' | 'testOnly' | 'takes'> = {},
): WorkspacePage => ({ group, path, label, words, ...more });

const allPages = [
  page('Workspace', '', 'Overview', 'home requests errors', { icon: House }),
  page('Workspace', '/stores', 'Stores', 'look up a domain scan profile', { icon: Store }),
  page('Workspace', '/find', 'Find stores', 'search count facets which technology', { icon: Search }),
  page('Workspace', '/lists', 'Lists', 'import csv upload enrich', { icon: ListChecks }),
  page('Workspace', '/watchlists', 'Watchlists', 'rescan monitor changes', { icon: Eye }),
  page('Workspace', '/changes', 'Changes', 'events timeline signals scans failed', { icon: Activity }),
  page('Workspace', '/jobs', 'Jobs', 'scans enrichments progress results', { icon: Workflow }),
  page('Workspace', '/webhooks', 'Webhooks', 'endpoints events deliveries signature url', { icon: Webhook }),
  page('Workspace', '/usage', 'Usage', 'look-ups billing pace', { icon: ChartNoAxesColumn }),
  page('Workspace', '/usage?split=keys', 'Usage by key', 'traffic'),
  page('Workspace', '/requests', 'Requests', 'log errors latency curl', { icon: Logs }),
  page('Requests', '/requests?id=', 'Find request', '', { takes: requestId }),
  page('Settings', '/settings/keys', 'API keys', 'secret revoke rotate expiry', { icon: KeyRound }),
  page('Settings', '/settings/keys/new', 'Create an API key', 'new secret', { adminOnly: true }),
  page('Settings', '/settings/test', 'Test tenant', 'reset events allowance', { icon: FlaskConical, testOnly: true }),
  page('Settings', '/settings/members', 'Members', 'people invite roles', { icon: Users }),
  page('Settings', '/settings/plan', 'Plan', 'limits allowance rate', { icon: WalletCards }),
  page('Settings', '/settings/audit-log', 'Audit log', 'history changes', { icon: ScrollText, adminOnly: true }),
  page('Settings', '/settings/workspace', 'Workspace', 'rename leave delete', { icon: SlidersHorizontal }),
];

/** The pages of a workspace and environment that the reader may open. */
export const pagesFor = ({ role, environment }: CommandsOf['workspace']): WorkspacePage[] =>
  allPages.filter(
    ({ adminOnly, testOnly }) => (!adminOnly || role === 'admin') && (!testOnly || environment === 'test'),
  );

/** The path of the page in the navigation that has these segments of a path, or the overview. */
export function pageOfPath(segments: readonly string[], workspace: CommandsOf['workspace']): string {
  const paths = [`/${segments.slice(0, 2).join('/')}`, `/${segments[0]}`];
  return pagesFor(workspace).find(({ path, icon, testOnly }) => icon && !testOnly && paths.includes(path))?.path ?? '';
}

/** The pages of a workspace that the reader may open, and the person's other workspaces. */
export function commandsOf({ workspace, workspaces }: CommandsOf): Command[] {
  return [
    ...pagesFor(workspace).map(({ path, ...rest }) => ({ ...rest, to: `/workspaces/${workspace.segment}${path}` })),
    {
      label: 'Your account',
      group: 'Account',
      to: '/account',
      words: 'password sessions theme two-step sign-in two-factor',
    },
    ...workspaces
      .filter(({ id }) => id !== workspace.id)
      .map(({ id, name }): Command => ({ label: name, group: 'Other workspace', to: `/workspaces/${id}` })),
  ];
}

/** A text that may be a domain, or the address of a store's page. */
const domainPattern = /^(?:https?:\/\/)?[^\s./:]+(?:\.[^\s./:]+)+(?::\d+)?(?:[/?#]\S*)?$/i;

/** A command that opens the look-up form with this text, if the text looks like a domain. The form shows what a look-up bills. */
export function lookUpCommand(segment: string, text: string): Command | undefined {
  const domain = text.trim();
  if (domain.length > 300 || !domainPattern.test(domain)) return undefined;
  return {
    label: `Look up ${domain}`,
    group: 'Stores',
    to: `/workspaces/${segment}/stores?${new URLSearchParams({ domain })}`,
  };
}

/** The commands that contain every word of the text, those whose label begins with it first. Commands that take the text follow. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ label, group, words: more = '' }: Command) => {
    const all = `${label} ${group} ${more}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const start = words.join(' ');
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(start) ? 0 : 1);
  const pages = commands.filter((command) => !command.takes && has(command)).sort((a, b) => rank(a) - rank(b));
  const id = text.trim();
  const taking = commands.filter(({ takes }) => takes?.test(id));
  return [...pages, ...taking.map((command) => ({ ...command, label: `${command.label} ${id}`, to: command.to + id }))];
}
