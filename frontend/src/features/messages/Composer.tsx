import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Bet, User } from '../../api/types';
import { authPath } from '../../lib/paths';
import { useForm } from '../../lib/useForm';
import { messageTexts as texts } from '../../texts/messages';
import { Button, ButtonLink } from '../../ui/Button';
import { Field, inputClass } from '../../ui/Field';
import { isDisputed, isParty } from '../bets';
import { deletePicture, pictureUrl, sendMessage } from './api';
import { type LoosePicture, loadDraft, saveDraft } from './drafts';
import styles from './messages.module.css';
import { PictureDialog } from './PictureDialog';
import { isActiveArbiter, mayAttach } from './roles';

const LONGEST = 1000;

interface ComposerProps {
  bet: Bet;
  token: string | null;
  user: User | null;
}

/** The form for a new message, or the reason why the viewer cannot write. */
export function Composer({ bet, token, user }: ComposerProps) {
  const here = useLocation();
  if (!user) {
    return (
      <ButtonLink to={authPath(here)} small>
        {texts.signIn}
      </ButtonLink>
    );
  }
  const asParty = isParty(bet, user.id);
  const isConcerned = asParty || isActiveArbiter(bet, user.id);
  if (bet.isPrivate && !isConcerned) return <p className={styles.muted}>{texts.partiesOnly}</p>;
  return <MessageForm bet={bet} token={token} userId={user.id} isParty={asParty} />;
}

interface MessageFormProps {
  bet: Bet;
  token: string | null;
  userId: string;
  /** Whether the user is a party. During a dispute, only parties write evidence. */
  isParty: boolean;
}

/** The values of the form after an edit. */
const edited = (text: string) => ({ text, editedAt: Date.now() });

/** The values of the form after its text, or the beginning of it, was sent. */
const unsent = ({ text }: { text: string }, sent: string) =>
  edited(text.startsWith(sent) ? text.slice(sent.length).trimStart() : text);

/** The pictures of a draft. */
function useLoosePictures(stored: readonly LoosePicture[]) {
  const [pictures, setPictures] = useState(stored);
  const takeOut = (some: readonly LoosePicture[]) =>
    setPictures((all) => all.filter((one) => !some.includes(one)));
  return {
    pictures,
    add: (picture: LoosePicture) => setPictures((all) => [...all, picture]),
    takeOut,
    /** Takes pictures out and deletes them, because they would still count on the bet. */
    discard: (some: readonly LoosePicture[]) => {
      takeOut(some);
      // If a call fails, the server removes the picture after a day.
      for (const { id } of some) void deletePicture(id).catch(() => undefined);
    },
  };
}

function MessageForm({ bet, token, userId, isParty }: MessageFormProps) {
  const [draft] = useState(() => loadDraft(userId, bet.id));
  const { pictures, add, takeOut, discard } = useLoosePictures(draft.pictures);
  /** The file that the user has chosen and not uploaded yet. */
  const [file, setFile] = useState<File | null>(null);
  const form = useForm({
    initialValues: { text: draft.text, editedAt: draft.editedAt },
    checks: ({ text }): { text?: string } => {
      if (!text.trim()) return { text: texts.required };
      return [...text.trim()].length > LONGEST ? { text: texts.tooLong } : {};
    },
    checkedOn: 'submit',
    send: async ({ text, editedAt }) => {
      const ids = pictures.map(({ id }) => id);
      await sendMessage(bet.id, token, text.trim(), ids, editedAt);
      // If the user has left the page, only this takes the message out of the stored draft.
      saveDraft(userId, bet.id, { ...unsent(loadDraft(userId, bet.id), text), pictures: [] });
      // What the user has added while the message was sent stays.
      takeOut(pictures);
      void form.setValues((now) => unsent(now, text));
    },
    title: texts.sendFailed,
    onError: (error) => {
      // The server removes pictures after a day. An old draft may still name them. The error does not say which ones.
      if (error.fields.some(({ field }) => field === 'pictureIds')) discard(pictures);
      return false;
    },
  });
  const { values } = form;
  useEffect(() => saveDraft(userId, bet.id, { ...values, pictures }), [userId, bet.id, values, pictures]);
  return (
    <>
      <form {...form.props} className={styles.form}>
        <Field
          label={texts.label}
          hint={isDisputed(bet) && isParty ? texts.disputeHint : texts.hint}
          error={form.errorOf('text')}
        >
          {(control) => (
            <textarea
              {...control}
              {...form.field('text')}
              onChange={({ target }) => void form.setValues(edited(target.value))}
              className={inputClass}
              rows={3}
            />
          )}
        </Field>
        <LoosePictures
          pictures={pictures}
          // A message that is being sent may have the picture.
          onRemove={(picture) => (form.pending ? takeOut : discard)([picture])}
        />
        <div className={styles.buttons}>
          {mayAttach(bet, userId) && <ChoosePicture onChosen={setFile} />}
          <Button type="submit" tone="primary" pending={form.pending} pendingLabel={texts.sending}>
            {texts.send}
          </Button>
        </div>
      </form>
      {/* The dialog has a form of its own, so it is not a part of this form. */}
      <PictureDialog
        betId={bet.id}
        file={file}
        onAdded={(picture) => {
          setFile(null);
          add(picture);
        }}
        onClose={() => setFile(null)}
      />
    </>
  );
}

interface LoosePicturesProps {
  pictures: readonly LoosePicture[];
  onRemove: (picture: LoosePicture) => void;
}

function LoosePictures({ pictures, onRemove }: LoosePicturesProps) {
  if (pictures.length === 0) return null;
  return (
    <ul className={styles.pictures}>
      {pictures.map((picture) => (
        <li key={picture.id} className={styles.loose}>
          <img
            src={pictureUrl(picture.id, null)}
            alt={picture.alt}
            width={picture.width}
            height={picture.height}
          />
          <button
            type="button"
            className={styles.remove}
            aria-label={texts.picture.remove(picture.alt)}
            onClick={() => onRemove(picture)}
          >
            <X size={18} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A button that opens the browser's dialog for files. */
function ChoosePicture({ onChosen }: { onChosen: (file: File | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{texts.picture.add}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.picture.add}
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          onChosen(event.target.files?.[0] ?? null);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
