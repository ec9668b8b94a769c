import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type Kind = 'info' | 'ok' | 'warning' | 'danger';

const looks = {
  info: { icon: Info, className: 'border-line bg-sunken', tone: 'text-quiet' },
  ok: { icon: CircleCheck, className: 'border-ok bg-ok-soft', tone: 'text-ok' },
  warning: { icon: TriangleAlert, className: 'border-warning bg-warning-soft', tone: 'text-warning' },
  danger: { icon: CircleAlert, className: 'border-danger bg-danger-soft', tone: 'text-danger' },
} as const;

/** A message about the page or the last action. Screen readers announce it when it appears. */
export function Notice({ kind = 'info', title, children }: { kind?: Kind; title?: string; children?: ReactNode }) {
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
