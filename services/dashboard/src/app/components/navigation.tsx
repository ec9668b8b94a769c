import { environments } from '@shopscope/environment';
import { ChevronsUpDown, Menu } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Form, Link, NavLink, useLocation } from 'react-router';
import { segmentOf } from '../domain/workspace-segment.ts';
import { CommandButton } from './command-button.tsx';
import { type CommandsOf, pageOfPath, pagesFor } from './commands.ts';
import { Logo } from './logo.tsx';

interface NavigationProps extends CommandsOf {
  workspace: CommandsOf['workspace'] & { name: string };
  person: { name: string; email: string };
}

/** The navigation at the left; on narrow screens, a bar at the top with a menu. It works without script. */
export function Navigation(props: NavigationProps) {
  return (
    <>
      <header className="sticky top-0 z-10 flex h-14 items-center justify-between border-b bg-page px-4 group-data-[environment=test]/shell:border-t-4 group-data-[environment=test]/shell:border-t-warning md:hidden">
        <Link to={`/workspaces/${props.workspace.segment}`}>
          <Logo />
        </Link>
        <Disclosure label="Menu" summary={<Menu aria-hidden className="size-5" />} className="static">
          <div className="fixed inset-x-0 top-14 max-h-[calc(100dvh-56px)] overflow-y-auto border-b bg-page p-4">
            <Entries {...props} />
          </div>
        </Disclosure>
      </header>
      <header className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-r bg-page p-4 group-data-[environment=test]/shell:border-t-4 group-data-[environment=test]/shell:border-t-warning md:flex">
        <Link to={`/workspaces/${props.workspace.segment}`} className="px-2 pt-1 pb-4">
          <Logo />
        </Link>
        <Entries {...props} find={<CommandButton {...props} className="-mb-4 w-full" />} />
      </header>
    </>
  );
}

function Entries({ workspace, workspaces, person, find }: NavigationProps & { find?: ReactNode }) {
  return (
    <div className="flex grow flex-col gap-6">
      <Disclosure
        className="w-full"
        summary={
          <span className="flex h-10 w-full items-center justify-between gap-2 rounded border px-3 md:h-8 md:px-2">
            <span className="truncate font-medium">
              <span className="sr-only">Switch workspace, now </span>
              <bdi>{workspace.name}</bdi>
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-quiet" />
          </span>
        }
      >
        <ul className="mt-1 grid gap-1 rounded border bg-raised p-1">
          {workspaces.map(({ id, name }) => (
            <li key={id}>
              <Link
                to={`/workspaces/${id}`}
                aria-current={id === workspace.id ? 'true' : undefined}
                className="block truncate rounded px-2 py-1.5 hover:bg-sunken aria-[current]:font-medium"
              >
                <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      </Disclosure>
      <EnvironmentSwitch workspace={workspace} />
      {find}
      <nav aria-label="Main" className="grid gap-6">
        <List workspace={workspace} group="Workspace" />
        <div className="grid gap-1">
          <p className="px-2 text-xs font-medium text-quiet">Settings</p>
          <List workspace={workspace} group="Settings" />
        </div>
      </nav>
      <div className="mt-auto grid gap-1 border-t pt-3">
        <p className="truncate px-2 text-sm text-quiet" title={person.email}>
          {person.email}
        </p>
        <NavLink to="/account" className={entryClass}>
          Your account
        </NavLink>
        <Form method="post" action="/sign-out">
          <button type="submit" className={`${entryClass} w-full text-left`}>
            Sign out
          </button>
        </Form>
      </div>
    </div>
  );
}

/**
 * Switches between the environments of the workspace. It leads to the same page of the navigation, because a list or a key of one
 * environment does not exist in the other one.
 */
function EnvironmentSwitch({ workspace }: Pick<NavigationProps, 'workspace'>) {
  const { pathname } = useLocation();
  const path = pageOfPath(pathname.split('/').slice(3), workspace);
  return (
    <nav aria-label="Environment" className="-mt-4 grid grid-cols-2 gap-1 rounded border bg-sunken p-0.5">
      {environments.map((environment) => (
        <Link
          key={environment}
          to={`/workspaces/${segmentOf({ workspaceId: workspace.id, environment })}${path}`}
          aria-current={environment === workspace.environment ? 'true' : undefined}
          className="flex h-9 items-center justify-center rounded text-sm text-quiet hover:text-text md:h-7 aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-text aria-[current]:shadow-sm data-[environment=test]:aria-[current]:bg-warning-soft data-[environment=test]:aria-[current]:text-warning"
          data-environment={environment}
        >
          {environment === 'live' ? 'Live' : 'Test'}
        </Link>
      ))}
    </nav>
  );
}

const entryClass =
  'flex h-10 items-center gap-2 rounded px-2 text-quiet hover:bg-sunken hover:text-text md:h-8 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

function List({ workspace, group }: { workspace: CommandsOf['workspace']; group: string }) {
  const shown = pagesFor(workspace).filter((page) => page.group === group);
  return (
    <ul className="grid gap-0.5">
      {shown.map(
        ({ path, label, icon: Icon }) =>
          Icon && (
            <li key={path}>
              <NavLink to={`/workspaces/${workspace.segment}${path}`} end={path === ''} className={entryClass}>
                <Icon aria-hidden className="size-4" />
                {label}
              </NavLink>
            </li>
          ),
      )}
    </ul>
  );
}

/** A native disclosure. It closes after a navigation, on Escape, and when the focus leaves it. */
function Disclosure(props: {
  label?: string;
  summary: React.ReactNode;
  className?: string;
  children: React.ReactNode;
}) {
  const element = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    if (key && element.current) element.current.open = false;
  }, [key]);
  const close = () => {
    if (element.current) element.current.open = false;
  };
  return (
    <details
      ref={element}
      className={props.className}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onBlur={(event) => event.relatedTarget && !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <summary aria-label={props.label} className="list-none rounded [&::-webkit-details-marker]:hidden">
        {props.summary}
      </summary>
      {props.children}
    </details>
  );
}
