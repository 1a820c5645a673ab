import { keys } from '../../../api/keys';
import { useApi } from '../../../api/useApi';
import { CURRENCIES, currencyName, formatNumber, formatVolume } from '../../../lib/money';
import { marketTexts } from '../../../texts/market';
import { Fact, Facts } from '../../../ui/Facts';
import styles from './StatTiles.module.css';

const UNKNOWN = '–';

export function StatTiles() {
  const { data } = useApi(keys.marketStats);
  const tiles = [
    { label: marketTexts.tiles.active, value: data && formatNumber(data.activeBets) },
    ...CURRENCIES.map((currency) => ({
      label: marketTexts.tiles.volume(currencyName(currency)),
      value: data && formatVolume(data[`${currency}Volume`]),
    })),
    { label: marketTexts.tiles.created, value: data && formatNumber(data.totalBetsCount) },
  ];
  return (
    <Facts className={styles.tiles}>
      {tiles.map((tile) => (
        <Fact key={tile.label} name={tile.label}>
          {tile.value || UNKNOWN}
        </Fact>
      ))}
    </Facts>
  );
}
