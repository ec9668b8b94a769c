/** A long text that scrolls. It is shown as text only, whatever it has. */
export const TextBlock = ({
  label,
  text,
  className = 'max-h-96',
}: {
  label: string;
  text: string;
  className?: string;
}) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    tabIndex={0}
    className={`overflow-auto rounded-[6px] border bg-sunken px-3 py-2 ${className}`}
  >
    <pre className="code text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">
      <bdi>{text}</bdi>
    </pre>
  </section>
);
