/** What other features may use of the wallet. */
export { WalletActions } from './components/WalletActions';
export { WithdrawalBadge } from './components/WithdrawalBadge';
