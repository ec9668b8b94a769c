/** Shows the failure of a page in the shell, so that the navigation stays. */
export { PageProblem as ErrorBoundary } from '../components/failure.tsx';
