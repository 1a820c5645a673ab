import { type KeyboardEvent, useRef } from 'react';
import { achievementTexts as texts } from '../../../texts/achievements';
import styles from './achievements.module.css';

export const PANEL_ID = 'achievement-list';
export const tabId = (category: string) => `category-${category}`;

interface CategoryTabsProps {
  category: string;
  onChoose: (category: string) => void;
}

/** The left and right arrow keys, Home and End select a tab. The Tab key leaves the tabs. */
export function CategoryTabs({ category, onChoose }: CategoryTabsProps) {
  const bar = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent) {
    const { tabs } = texts;
    const now = tabs.findIndex((tab) => tab.value === category);
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    onChoose(tabs[index]?.value ?? 'all');
    bar.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  }
  return (
    <div ref={bar} role="tablist" aria-label={texts.categories} className={styles.tabs} onKeyDown={move}>
      {texts.tabs.map((tab) => (
        <button
          key={tab.value}
          id={tabId(tab.value)}
          type="button"
          role="tab"
          aria-selected={tab.value === category}
          aria-controls={PANEL_ID}
          tabIndex={tab.value === category ? 0 : -1}
          onClick={() => onChoose(tab.value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
