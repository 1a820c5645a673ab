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
export function Pictures({ pictures, title, token }: PicturesProps) {
  const [enlarged, setEnlarged] = useState<string | null>(null);
  if (pictures.length === 0) return null;
  return (
    <ul className={styles.pictures}>
      {pictures.map(({ id, width, height, alt }) => {
        const name = alt || title;
        return (
          <li key={id}>
            <button
              type="button"
              className={styles.thumb}
              aria-label={texts.enlarge(name)}
              onClick={() => setEnlarged(id)}
            >
              <img src={pictureUrl(id, token)} alt="" width={width} height={height} loading="lazy" />
            </button>
            <Dialog open={enlarged === id} title={title} onClose={() => setEnlarged(null)}>
              <figure className={styles.enlarged}>
                <img src={pictureUrl(id, token)} alt={name} width={width} height={height} />
                <figcaption>{alt || texts.noAlt}</figcaption>
              </figure>
            </Dialog>
          </li>
        );
      })}
    </ul>
  );
}
