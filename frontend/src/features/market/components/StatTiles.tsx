import { keys } from '../../../api/keys';
import { useApi } from '../../../api/useApi';
import { formatNumber, formatThousands } from '../../../lib/money';
import { marketTexts } from '../../../texts/market';
import { TestTag } from '../../../ui/Unit';
import styles from './StatTiles.module.css';

const UNKNOWN = '–';

export function StatTiles() {
  const { data } = useApi(keys.marketStats);
  const tiles = [
    { label: marketTexts.tiles.active, value: data && formatNumber(data.activeBets) },
    { label: marketTexts.tiles.bolts, value: data && formatThousands(data.boltsVolume) },
    {
      label: marketTexts.tiles.sats,
      currency: 'sats' as const,
      value: data && formatThousands(data.satsVolume),
    },
    { label: marketTexts.tiles.created, value: data && formatNumber(data.totalBetsCount) },
  ];
  return (
    <dl className={styles.tiles}>
      {tiles.map((tile) => (
        <div key={tile.label}>
          <dt>
            {tile.label} {tile.currency && <TestTag currency={tile.currency} />}
          </dt>
          <dd>{tile.value || UNKNOWN}</dd>
        </div>
      ))}
    </dl>
  );
}
