export { signalLabels, signalTypes } from './pages/signal-labels.ts';
