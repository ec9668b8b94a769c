/** A page that the command palette opens. */
export interface Command {
  label: string;
  /** Where it belongs, for example "Settings". */
  group: string;
  to: string;
  /** Further words that find it. */
  words?: string;
  /** It is offered for texts like this only. The text is added to `label` and to `to`. */
  takes?: RegExp;
}

export interface CommandsOf {
  workspace: { id: string; role: 'admin' | 'member' };
  workspaces: readonly { id: string; name: string }[];
}

/** An X-Request-Id with a digit, because words are names of pages. */
const requestId = /^(?=\D*\d)[\w-]{8,64}$/;

/** The pages of a workspace that its reader may open, and the person's other workspaces. */
export function commandsOf({ workspace, workspaces }: CommandsOf): Command[] {
  const page = (label: string, group: string, path: string, words = ''): Command => ({
    label,
    group,
    to: `/workspaces/${workspace.id}${path}`,
    words,
  });
  const isAdmin = workspace.role === 'admin';
  return [
    page('Overview', 'Workspace', '', 'home requests errors'),
    page('Stores', 'Workspace', '/stores', 'look up a domain scan profile'),
    page('Usage', 'Workspace', '/usage', 'look-ups billing pace'),
    page('Usage by key', 'Workspace', '/usage?split=keys', 'traffic'),
    page('Requests', 'Workspace', '/requests', 'log errors latency curl'),
    { ...page('Find request', 'Requests', '/requests?id='), takes: requestId },
    page('API keys', 'Settings', '/settings/keys', 'secret revoke rotate expiry'),
    ...(isAdmin ? [page('Create an API key', 'Settings', '/settings/keys/new', 'new secret')] : []),
    page('Members', 'Settings', '/settings/members', 'people invite roles'),
    page('Plan', 'Settings', '/settings/plan', 'limits allowance rate'),
    ...(isAdmin ? [page('Audit log', 'Settings', '/settings/audit-log', 'history changes')] : []),
    page('Workspace', 'Settings', '/settings/workspace', 'rename leave delete'),
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

/** A text that could be a domain, or the address of a page of a store. */
const domainPattern = /^(?:https?:\/\/)?[^\s./:]+(?:\.[^\s./:]+)+(?::\d+)?(?:[/?#]\S*)?$/i;

/**
 * Opens the look-up form with this text, when it looks like a domain. The form says what a look-up bills, so opening it bills
 * nothing.
 */
export function lookUpCommand(workspaceId: string, text: string): Command | undefined {
  const domain = text.trim();
  if (domain.length > 300 || !domainPattern.test(domain)) return undefined;
  return {
    label: `Look up ${domain}`,
    group: 'Stores',
    to: `/workspaces/${workspaceId}/stores?${new URLSearchParams({ domain })}`,
  };
}

/** The commands that have every word of the text. Those whose label begins with it come first, those that take it last. */
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
