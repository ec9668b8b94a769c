import { ChevronRight, CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** The frame of a page in the shell. `trail`: the pages above it, if the page is below the second level. */
export function Page(props: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  trail?: readonly { to: string; label: string }[];
  children: ReactNode;
}) {
  const { title, lead, action, trail, children } = props;
  return (
    <div className="mx-auto grid w-full max-w-[1120px] gap-6 px-4 py-6 md:px-8 md:py-8">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="grid min-w-0 gap-1">
          {trail && (
            <nav aria-label="Breadcrumb">
              <ol className="flex flex-wrap items-center gap-1 text-sm text-quiet">
                {trail.map(({ to, label }) => (
                  <li key={to} className="flex min-w-0 items-center gap-1">
                    <Link to={to} className="truncate rounded hover:text-text">
                      <bdi>{label}</bdi>
                    </Link>
                    <ChevronRight aria-hidden className="size-3.5 shrink-0" />
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <h1 className="text-xl [overflow-wrap:anywhere]">
            <bdi>{title}</bdi>
          </h1>
          {lead && <p className="max-w-[68ch] text-quiet">{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

export function Section(props: {
  id?: string;
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  /** Whether the part has a bordered surface. */
  isCard?: boolean;
  children: ReactNode;
}) {
  const { id, title, note, action, isCard, children } = props;
  return (
    <section id={id} className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-lg">{title}</h2>
        {action ?? (note && <p className="text-sm text-quiet">{note}</p>)}
      </div>
      {isCard ? <Card>{children}</Card> : children}
    </section>
  );
}

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-[6px] border border-line bg-raised p-4 ${className}`}>{children}</div>;
}

const looks = {
  info: { icon: Info, className: 'border-line bg-sunken', tone: 'text-quiet' },
  ok: { icon: CircleCheck, className: 'border-ok bg-ok-soft', tone: 'text-ok' },
  warning: { icon: TriangleAlert, className: 'border-warning bg-warning-soft', tone: 'text-warning' },
  danger: { icon: CircleAlert, className: 'border-danger bg-danger-soft', tone: 'text-danger' },
} as const;

/** A message about the page or the last action. Screen readers announce it when it appears. */
export function Notice({
  kind = 'info',
  title,
  children,
}: {
  kind?: keyof typeof looks;
  title?: string;
  children?: ReactNode;
}) {
  const { icon: Icon, className, tone } = looks[kind];
  return (
    <div role={kind === 'danger' ? 'alert' : 'status'} className={`flex gap-2 rounded border px-3 py-2 ${className}`}>
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/** Explains what the page will show, why it is empty, and the one next step. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 rounded border border-dashed px-4 py-12 text-center">
      <h2 className="text-lg">{title}</h2>
      <div className="max-w-[60ch] text-quiet">{children}</div>
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** A less important value, or a note that something is missing. */
export const Quiet = ({ children }: { children: ReactNode }) => <span className="text-quiet">{children}</span>;
