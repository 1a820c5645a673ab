import { keys } from './keys';
import { useApi } from './useApi';

/** The number of bets that wait for the user. It is 0 until it is known. While `wanted` is false, it is not requested. */
export function useTurnCount(wanted = true): number {
  return useApi(wanted ? keys.turnCount : null).data?.turnCount ?? 0;
}
