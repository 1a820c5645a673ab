import { Link } from 'react-router-dom';
import type { Obstacle } from '../../../api/types';
import { dataTexts } from '../../../texts/data';

const texts = dataTexts.deletion;

interface ObstaclesProps {
  obstacles: readonly Obstacle[];
  onLeave: () => void;
}

/** What keeps the account from being deleted, with links to where the user can change it. */
export function Obstacles({ obstacles, onLeave }: ObstaclesProps) {
  return (
    <>
      <p>{texts.blocked}</p>
      <ul>
        {obstacles.map((obstacle) => (
          <li key={obstacle.kind}>
            <b>{obstacle.text}</b> <Way kind={obstacle.kind} onLeave={onLeave} />
          </li>
        ))}
      </ul>
      <p>{texts.blockedHint}</p>
    </>
  );
}

function Way({ kind, onLeave }: { kind: Obstacle['kind']; onLeave: () => void }) {
  const way = dataTexts.obstacles[kind];
  return (
    way && (
      <Link to={way.to} onClick={onLeave}>
        {way.link}
      </Link>
    )
  );
}
