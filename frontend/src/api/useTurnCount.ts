import { keys } from './keys';
import { useApi } from './useApi';

/** The number of bets that wait for the user. It is 0 until it is known. */
export function useTurnCount(): number {
  return useApi(keys.turnCount).data?.turnCount ?? 0;
}
