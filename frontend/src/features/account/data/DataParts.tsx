import type { User } from '../../../api/types';
import page from '../../../ui/page.module.css';
import { DeleteCard } from './DeleteCard';
import { DownloadCard } from './DownloadCard';

interface DataPartsProps {
  user: User;
  onDeleted: () => void;
}

/** The section Data, which loads after the page. */
export default function DataParts({ user, onDeleted }: DataPartsProps) {
  return (
    <div className={page.columns}>
      <div>
        <DownloadCard />
      </div>
      <div>
        <DeleteCard user={user} onDeleted={onDeleted} />
      </div>
    </div>
  );
}
