export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 text-accent">
        <rect x="1.5" y="1.5" width="17" height="17" rx="4" fill="none" stroke="currentColor" strokeWidth="2" />
        <circle cx="9" cy="9" r="3.4" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="m11.7 11.7 3 3" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      Shopscope
    </span>
  );
}
