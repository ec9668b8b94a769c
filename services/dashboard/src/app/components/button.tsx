import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';

type Kind = 'primary' | 'secondary' | 'danger' | 'quiet';

const shared =
  'inline-flex h-10 items-center justify-center gap-2 rounded px-3 font-medium whitespace-nowrap transition-colors md:h-8 disabled:opacity-60 aria-disabled:opacity-60';

const kinds: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-control bg-raised text-text hover:bg-sunken',
  danger: 'border border-danger bg-raised text-danger hover:bg-danger-soft',
  quiet: 'text-quiet hover:bg-sunken hover:text-text',
};

export function Button({ kind = 'secondary', className = '', ...rest }: ComponentProps<'button'> & { kind?: Kind }) {
  return <button type="submit" className={`${shared} ${kinds[kind]} ${className}`} {...rest} />;
}

export function ButtonLink({
  kind = 'secondary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & { kind?: Kind }) {
  return <Link className={`${shared} ${kinds[kind]} ${className}`} {...rest} />;
}

/** A link within a text. On pages without script, it is a plain link. */
export const TextLink = (props: Omit<ComponentProps<typeof Link>, 'className'>) => <Link className="link" {...props} />;

/** The name of the thing that a row of a table is about. It links to the page of the thing. */
export const RowLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="rounded font-medium [overflow-wrap:anywhere] hover:underline">
    <bdi>{children}</bdi>
  </Link>
);

/** Loads the page again, if no script keeps the page current. */
export const RefreshLink = ({ href = '?' }: { href?: string }) => (
  <noscript>
    {' '}
    <a href={href} className="link">
      Refresh
    </a>
  </noscript>
);
