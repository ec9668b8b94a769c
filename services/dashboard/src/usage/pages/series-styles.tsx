/** The style of a series: its own colour and pattern, so that it can be distinguished without colour. */
export type Look = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 'succeeded' | 'client_errors' | 'limited' | 'server_errors';

type Pattern = 'solid' | 'hatch' | 'dots' | 'lines' | 'back_hatch' | 'columns' | 'checks';

const looks: Record<Look, { fill: string; pattern: Pattern }> = {
  1: { fill: 'fill-series-1', pattern: 'solid' },
  2: { fill: 'fill-series-2', pattern: 'hatch' },
  3: { fill: 'fill-series-3', pattern: 'dots' },
  4: { fill: 'fill-series-4', pattern: 'lines' },
  5: { fill: 'fill-series-5', pattern: 'back_hatch' },
  6: { fill: 'fill-series-6', pattern: 'columns' },
  7: { fill: 'fill-series-7', pattern: 'checks' },
  succeeded: { fill: 'fill-series-7', pattern: 'solid' },
  client_errors: { fill: 'fill-series-4', pattern: 'hatch' },
  limited: { fill: 'fill-series-3', pattern: 'dots' },
  server_errors: { fill: 'fill-danger', pattern: 'back_hatch' },
};

const size = 6;

/** The marks of a pattern. They have the colour of the surface and are drawn over the colour of the series. */
const marks: Record<Pattern, string> = {
  solid: '',
  hatch: 'M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2',
  back_hatch: 'M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2',
  lines: 'M0,3 h6',
  columns: 'M3,0 v6',
  dots: 'M2,3 h2',
  checks: 'M0,1.5 h3 M3,4.5 h3',
};

const patternId = (chartId: string, look: Look) => `${chartId}-${look}`;

/** The colour without the pattern, for parts that are too small for a pattern. */
export const solidOf = (look: Look) => looks[look].fill;

export const fillOf = (chartId: string, look: Look) => `url(#${patternId(chartId, look)})`;

/** The patterns of a chart. Its bars and its legend refer to them. */
export function Patterns({ chartId, used }: { chartId: string; used: readonly Look[] }) {
  return (
    <defs>
      {used.map((look) => {
        const { fill, pattern } = looks[look];
        return (
          <pattern key={look} id={patternId(chartId, look)} width={size} height={size} patternUnits="userSpaceOnUse">
            <rect width={size} height={size} className={`${fill} forced-colors:fill-[CanvasText]`} />
            {marks[pattern] !== '' && (
              <path
                d={marks[pattern]}
                className="fill-none stroke-raised forced-colors:stroke-[Canvas]"
                strokeWidth={pattern === 'dots' ? 2 : pattern === 'checks' ? 3 : 1.25}
              />
            )}
          </pattern>
        );
      })}
    </defs>
  );
}

export function Swatch({ chartId, look }: { chartId: string; look: Look }) {
  return (
    <svg width="12" height="12" aria-hidden className="shrink-0 self-center rounded-[2px]">
      <rect width="12" height="12" fill={fillOf(chartId, look)} />
    </svg>
  );
}
