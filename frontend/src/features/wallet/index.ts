/** The exports of the wallet feature that other features may use. */
export { WalletActions } from './components/WalletActions';
export { WithdrawalBadge } from './components/WithdrawalBadge';
