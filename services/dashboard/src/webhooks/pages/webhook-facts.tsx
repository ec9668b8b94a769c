import { TextLink } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Quiet } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import { signalLabels } from '../../watchlists/pages.ts';
import type { EndpointView } from '../domain/endpoint-view.ts';
import { WebhookHealth } from './webhook-state.tsx';

/** What a webhook receives and how, as its owner has chosen it. */
export function WebhookFacts(props: {
  endpoint: EndpointView;
  /** Ids of watchlists that still exist, and their names. */
  watchlistNames: Readonly<Record<string, string>>;
  watchlistsPath: string;
}) {
  const { endpoint, watchlistNames, watchlistsPath } = props;
  const { eventTypes, watchlistIds, filters, maxPerMinute, headerNames } = endpoint;
  return (
    <div className="grid gap-4">
      <Facts
        wide="Id in the API"
        facts={{
          Health: <WebhookHealth {...endpoint} />,
          'Last success': endpoint.failingSinceMs !== undefined && <LastSuccess atMs={endpoint.lastSuccessAtMs} />,
          'Messages a minute':
            maxPerMinute === undefined ? <Quiet>No bound</Quiet> : `At most ${formatNumber(maxPerMinute)}`,
          Headers:
            headerNames.length === 0 ? <Quiet>None</Quiet> : <span className="code">{headerNames.join(', ')}</span>,
          Created: <Time ms={endpoint.createdAtMs} as="exact" />,
          'Id in the API': <span className="code">{endpoint.id}</span>,
        }}
      />
      <Facts
        className="grid-cols-1"
        facts={{
          Events: (
            <ul className="flex flex-wrap gap-x-4 gap-y-1">
              {eventTypes.map((type) => (
                <li key={type} className="code">
                  {type}
                </li>
              ))}
            </ul>
          ),
          Watchlists: watchlistIds.length > 0 && (
            <ul className="flex flex-wrap gap-x-4 gap-y-1">
              {watchlistIds.map((id) => (
                <li key={id}>
                  {ownValue(watchlistNames, id) === undefined ? (
                    <span className="code">{id}</span>
                  ) : (
                    <TextLink to={`${watchlistsPath}/${id}`}>
                      <bdi>{watchlistNames[id]}</bdi>
                    </TextLink>
                  )}
                </li>
              ))}
            </ul>
          ),
          'Filters of signals': filterTexts(filters).length > 0 && (
            <ul className="grid gap-1">
              {filterTexts(filters).map(([name, text]) => (
                <li key={name}>
                  {name}: <span className="code">{text}</span>
                </li>
              ))}
            </ul>
          ),
        }}
      />
    </div>
  );
}

const LastSuccess = ({ atMs }: { atMs: number | undefined }) =>
  atMs === undefined ? <Quiet>None</Quiet> : <Time ms={atMs} />;

function filterTexts(filters: EndpointView['filters']): [name: string, text: string][] {
  const kinds = filters.signalTypes.map((type) => ownValue(signalLabels, type) ?? type);
  const all: [string, string][] = [
    ['Kinds of changes', kinds.join(', ')],
    ['Technologies', filters.technologies.join(', ')],
    ['Categories', filters.categories.join(', ')],
    ['Platforms', filters.platforms.join(', ')],
    ['Countries', filters.countries.join(', ')],
    ['Industries', filters.industries.join(', ')],
    ['Lowest confidence', filters.confidenceMin],
  ];
  return all.filter(([, text]) => text !== '');
}
