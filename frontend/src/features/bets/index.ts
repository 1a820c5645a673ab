/** The exports of the bets feature that other features may use. */
export { acceptShared } from './api';
export { RulingForm } from './arbiter/RulingForm';
export { BetCards, BetCardsLoading } from './components/BetCards';
export { BigSlip } from './components/BigSlip';
export { ExpiryFact, ResolutionFacts } from './components/Details';
export { OutcomeDialog } from './components/OutcomeDialog';
export { TakersRisk } from './components/Risk';
export { DeleteButton, ManualWarning } from './components/SidePanels';
export { Stakes } from './components/Stakes';
export { PrivateBadge, StatusBadge } from './components/StatusBadge';
export { TakeDialog } from './components/TakeDialog';
export { EMPTY_BET } from './create/form';
export { presetExpiry } from './create/presets';
export { otherSide, outcomeName, outcomeText, personName, statusName } from './parties';
export { endedAt, endedLatestFirst, isActive, type Result, resultOf } from './results';
export { stakeBy } from './stakes';
export { consequenceWords, deadlineOf, taskWords } from './turns';
export { MARKET_WORDS } from './useTake';
