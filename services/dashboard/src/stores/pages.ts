export { StoreHeader } from './pages/store-header.tsx';
export { asWords, countryName, groupedTechnologies, platformIsKnown, statusOf } from './pages/store-labels.ts';
export { type SignalChange, SignalText, StoreSignals, signalIconOf } from './pages/store-signals.tsx';
export { StoreUnseen } from './pages/store-unseen.tsx';
