import { useEffect } from 'react';
import { forget, keep, recall } from './tab-storage';

/** The text that the user typed into a field and has not sent. The browser keeps it until its tab is closed. */
export const keptText = (name: string) => String(recall(name) ?? '');

/** Keeps the text of a field. The caller forgets it after the text is sent. */
export function useKeptText(name: string, text: string): void {
  useEffect(() => (text ? keep(name, text) : forget(name)), [name, text]);
}
