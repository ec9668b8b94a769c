import { serviceConfigs } from '../service-configs.ts';
import { environmentOf } from './environment.ts';
import { type Container, deploymentsIn, type Manifest, ofKind } from './manifests.ts';

/** The label of all Deployments. The install applies everything else before the first migration. */
const serviceSelector = { 'app.kubernetes.io/component': 'service' };
const migrationSelector = { 'app.kubernetes.io/component': 'migration' };
/** A service with this variable has a database. Its migration then needs the variable too. */
const databaseVariable = 'MONGODB_URL';
const migrationUser = 'migrate';

/**
 * Each service in production has the template of a Job that migrates what the service needs: the same image, the user `migrate`, and no
 * secret of the service. Services in development migrate at their own start.
 */
export function migrationProblems(manifests: readonly Manifest[]): string[] {
  const jobs = new Map(ofKind(manifests, 'CronJob').map((job) => [job.metadata.name, job]));
  return deploymentsIn(manifests).flatMap((deployment) => {
    const { name, labels } = deployment.manifest.metadata;
    const { variables } = environmentOf(deployment.container, manifests, { allowAbsent: true });
    if (variables.SHOPSCOPE_ENV === 'development') return [];
    const found = hasLabels(labels, serviceSelector) ? [] : [`Deployment ${name} has no label for the install`];
    if (!(name in serviceConfigs)) return found;
    const job = jobs.get(`migrate-${name}`);
    if (!job) return [...found, `CronJob migrate-${name} is missing`];
    return [...found, ...jobProblems(job, deployment.container)];
  });
}

function jobProblems({ metadata, spec }: Manifest, service: Container): string[] {
  const container = spec.jobTemplate.spec.template.spec.containers[0] as Container & { args?: string[] };
  const secrets = (container.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
  const hasSame = (name: string) => declares(container, name) === declares(service, name);
  const problems = {
    'must be suspended, because migrate.sh makes the Jobs': spec.suspend !== true,
    'has no label for the upgrade': !hasLabels(metadata.labels, migrationSelector),
    [`must run ${service.image}`]: container.image !== service.image,
    'must run --migrate alone': container.args?.join(' ') !== '--migrate',
    [`may read no Secret but ${migrationUser}`]: secrets.some((name) => name !== migrationUser),
    [`must have ${databaseVariable} if its service has it`]: !hasSame(databaseVariable),
    [`must log in to Kafka as ${migrationUser}`]: !declares(container, 'KAFKA_SASL_USERNAME', migrationUser),
  };
  return Object.entries(problems).flatMap(([problem, isThere]) =>
    isThere ? [`CronJob ${metadata.name} ${problem}`] : [],
  );
}

const declares = ({ env = [] }: Container, name: string, value?: string): boolean =>
  env.some((each) => each.name === name && (value === undefined || each.value === value));

const hasLabels = (labels: Readonly<Record<string, string>> = {}, wanted: Readonly<Record<string, string>>) =>
  Object.entries(wanted).every(([label, value]) => labels[label] === value);
