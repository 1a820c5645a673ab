import { Sparkles } from 'lucide-react';
import { createTexts } from '../../../texts/create';
import { Button } from '../../../ui/Button';
import styles from './ideas.module.css';
import type { IdeasState } from './useIdeas';

const texts = createTexts.ideas;

/** The button that requests an idea for a complete bet. */
export function GenerateIdea({ ideas }: { ideas: IdeasState }) {
  return (
    <div className={styles.offer}>
      <p className={styles.words}>{texts.generateHint}</p>
      <Button
        onClick={() => void ideas.generate()}
        pending={ideas.generating}
        pendingLabel={texts.generating}
        aria-disabled={ideas.completing}
      >
        <Sparkles size={18} aria-hidden="true" /> {texts.generate}
      </Button>
      {ideas.bringBack && (
        <p className={styles.replaced}>
          {texts.replaced}{' '}
          <Button small onClick={ideas.bringBack}>
            {texts.bringBack}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The button that completes a bet from its title. */
export function CompleteIdea({ ideas }: { ideas: IdeasState }) {
  if (!ideas.canComplete && !ideas.completing) return null;
  return (
    <div className={styles.offer}>
      <Button
        onClick={() => void ideas.complete()}
        pending={ideas.completing}
        pendingLabel={texts.completing}
        aria-disabled={ideas.generating}
      >
        <Sparkles size={18} aria-hidden="true" /> {texts.complete}
      </Button>
    </div>
  );
}
