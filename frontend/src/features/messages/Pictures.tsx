import { useState } from 'react';
import type { Message } from '../../api/types';
import { messageTexts } from '../../texts/messages';
import { Dialog } from '../../ui/Dialog';
import { pictureUrl } from './api';
import styles from './messages.module.css';

const texts = messageTexts.picture;

interface PicturesProps {
  pictures: Message['pictures'];
  /** The name of a picture without a description, and the title of its dialog. */
  title: string;
  token: string | null;
}

/** The pictures of a message as small ones. A click enlarges a picture. */
export function Pictures({ pictures, ...rest }: PicturesProps) {
  if (pictures.length === 0) return null;
  return (
    <ul className={styles.pictures}>
      {pictures.map((picture) => (
        <li key={picture.id}>
          <Picture picture={picture} {...rest} />
        </li>
      ))}
    </ul>
  );
}

type PictureProps = Omit<PicturesProps, 'pictures'> & { picture: PicturesProps['pictures'][number] };

function Picture({ picture: { id, width, height, alt }, title, token }: PictureProps) {
  const [isEnlarged, setEnlarged] = useState(false);
  const [isGone, setGone] = useState(false);
  if (isGone) return <p className={styles.gone}>{texts.gone}</p>;
  const name = alt || title;
  const image = { src: pictureUrl(id, token), width, height };
  return (
    <>
      <button
        type="button"
        className={styles.thumb}
        aria-label={texts.enlarge(name)}
        onClick={() => setEnlarged(true)}
      >
        <img {...image} alt="" loading="lazy" onError={() => setGone(true)} />
      </button>
      <Dialog open={isEnlarged} title={title} onClose={() => setEnlarged(false)}>
        <figure className={styles.enlarged}>
          <img {...image} alt={name} />
          <figcaption>{alt || texts.noAlt}</figcaption>
        </figure>
      </Dialog>
    </>
  );
}
