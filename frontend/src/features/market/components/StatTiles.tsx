import { keys } from '../../../api/keys';
import { useApi } from '../../../api/useApi';
import { formatNumber, formatThousands } from '../../../lib/money';
import { marketTexts } from '../../../texts/market';
import { Fact, Facts } from '../../../ui/Facts';
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
    <Facts className={styles.tiles}>
      {tiles.map((tile) => (
        <Fact
          key={tile.label}
          name={
            <>
              {tile.label} {tile.currency && <TestTag currency={tile.currency} />}
            </>
          }
        >
          {tile.value || UNKNOWN}
        </Fact>
      ))}
    </Facts>
  );
}
