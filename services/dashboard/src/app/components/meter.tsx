/** A bar of parts. All begin at the left, and each covers the one before. A share of 1 is the whole width. */
export const Meter = (props: { label: string; parts: readonly { share: number; fill: string }[] }) => (
  <svg
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
    className="h-1.5 w-full overflow-hidden rounded-full"
    role="img"
    aria-label={props.label}
  >
    <rect width="100" height="1" className="fill-line" />
    {props.parts.map(({ share, fill }) => (
      <rect key={fill} width={Math.min(1, share) * 100} height="1" className={fill} />
    ))}
  </svg>
);
