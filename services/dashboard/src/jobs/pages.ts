export { jobPath } from './pages/job-labels.tsx';
