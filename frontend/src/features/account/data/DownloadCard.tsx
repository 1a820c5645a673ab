import { Download } from 'lucide-react';
import { useAction } from '../../../api/useAction';
import { dataTexts } from '../../../texts/data';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { toast } from '../../../ui/toast-store';
import { download } from './download';

const texts = dataTexts.download;

export function DownloadCard() {
  const action = useAction(
    async () => {
      await download();
      toast(texts.done, undefined, 'success');
    },
    { title: texts.failedTitle, fallback: texts.failed },
  );
  return (
    <Card title={texts.title} intro={texts.intro}>
      <div>
        <Button pending={action.pending} pendingLabel={texts.pending} onClick={() => void action.run()}>
          <Download size={18} aria-hidden="true" />
          {texts.button}
        </Button>
      </div>
    </Card>
  );
}
