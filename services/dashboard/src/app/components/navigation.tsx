import { ChevronsUpDown, Menu } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Form, Link, NavLink, useLocation } from 'react-router';
import { CommandButton } from './command-button.tsx';
import { type CommandsOf, pagesFor } from './commands.ts';
import { Logo } from './logo.tsx';

interface NavigationProps extends CommandsOf {
  workspace: CommandsOf['workspace'] & { name: string };
  person: { name: string; email: string };
}

/** The navigation at the left; on narrow screens, a bar at the top with a menu. It works without script. */
export function Navigation(props: NavigationProps) {
  return (
    <>
      <header className="sticky top-0 z-10 flex h-14 items-center justify-between border-b bg-page px-4 md:hidden">
        <Link to={`/workspaces/${props.workspace.id}`}>
          <Logo />
        </Link>
        <Disclosure label="Menu" summary={<Menu aria-hidden className="size-5" />} className="static">
          <div className="fixed inset-x-0 top-14 max-h-[calc(100dvh-56px)] overflow-y-auto border-b bg-page p-4">
            <Entries {...props} />
          </div>
        </Disclosure>
      </header>
      <header className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-r bg-page p-4 md:flex">
        <Link to={`/workspaces/${props.workspace.id}`} className="px-2 pt-1 pb-4">
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
              <NavLink to={`/workspaces/${workspace.id}${path}`} end={path === ''} className={entryClass}>
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
