import { useEffect, useRef, useState } from 'react';
import { useForm } from '../../lib/useForm';
import { messageTexts } from '../../texts/messages';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Field, inputClass } from '../../ui/Field';
import { toast } from '../../ui/toast-store';
import { uploadPicture } from './api';
import type { LoosePicture } from './drafts';
import styles from './messages.module.css';
import { fitting } from './shrink';

const texts = messageTexts.picture;

interface PictureDialogProps {
  betId: string;
  /** The chosen file. The dialog is open while there is one. */
  file: File | null;
  onAdded: (picture: LoosePicture) => void;
  onClose: () => void;
}

/** Shows the chosen picture, asks what it shows, and uploads it. */
export function PictureDialog({ file, onClose, ...rest }: PictureDialogProps) {
  return (
    <Dialog open={file !== null} title={texts.title} onClose={onClose}>
      {file && <PictureForm file={file} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function PictureForm({ betId, file, onAdded, onClose }: PictureDialogProps & { file: File }) {
  const [percent, setPercent] = useState<number | null>(null);
  const preview = usePreview(file);
  const upload = useRef<AbortController>(null);
  // Closing the dialog ends the upload. Otherwise its answer would close the dialog of the next picture.
  useEffect(() => () => upload.current?.abort(), []);
  const form = useForm({
    initialValues: { alt: '' },
    checks: () => ({}),
    checkedOn: 'submit',
    send: async ({ alt }) => {
      const said = alt.trim();
      const controller = new AbortController();
      const { signal } = controller;
      upload.current = controller;
      const picture = await fitting(file).catch(() => undefined);
      if (signal.aborted) return;
      if (!picture) {
        onClose();
        toast(texts.failed, picture === null ? texts.tooLarge : texts.unreadable, 'destructive');
        return;
      }
      setPercent(0);
      const stored = await uploadPicture(betId, picture, said, setPercent, signal);
      if (stored) onAdded({ ...stored, alt: said });
    },
    title: texts.failed,
    onError: () => {
      setPercent(null);
      return false;
    },
  });
  return (
    <form {...form.props} className={styles.form}>
      {preview && <img src={preview} alt="" className={styles.preview} />}
      <Field label={texts.alt} hint={texts.altHint} error={form.errorOf('alt')}>
        {(control) => <input {...control} {...form.field('alt')} className={inputClass} />}
      </Field>
      {percent !== null && (
        <progress
          className={styles.progress}
          max={100}
          value={percent}
          aria-label={texts.uploading(percent)}
        />
      )}
      <Button
        type="submit"
        tone="primary"
        pending={form.pending}
        pendingLabel={percent === null ? texts.preparing : texts.uploading(percent)}
      >
        {texts.attach}
      </Button>
    </form>
  );
}

/** The chosen file as a data URL. The site's Content-Security-Policy does not allow `blob:` URLs. */
function usePreview(file: File): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener('load', () => setPreview(String(reader.result)));
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  return preview;
}
